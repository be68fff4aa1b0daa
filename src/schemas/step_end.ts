import { z } from "zod";

/** A process of the student that was ended. */
export interface EndedProcess {
  /** Its name as the kernel had it; it can choose any. */
  name: string;
  /** Seconds since its start. */
  age_seconds: number;
  /** Where it listened: `127.0.0.1:8000`, `udp 0.0.0.0:53`, `unix:/tmp/x`. */
  listening: string[];
}

/** The processes that the student had when its turn was over. */
export interface ProcessReport {
  /** How many; the shell of the `bash` tool, if it was idle, is not counted. */
  count: number;
  /** At most 20 of them: those that listened first, then the oldest. */
  processes: EndedProcess[];
  /** Sockets of the student that listened and could be given to none of its processes. */
  other_listening: string[];
}

/** A file of the student's that is told of. */
export interface LeftFile {
  /** Its absolute path; what is no UTF-8 is replaced. */
  path: string;
  /** What it was: `link`, `pipe` or `hard link`. */
  kind: "link" | "pipe" | "hard link";
  /** Where it led, as it stood in the link; null for what is no link. */
  target: string | null;
}

/** Some files, of which at most 20 are listed. */
export interface LeftFiles {
  /** How many in all. */
  count: number;
  /** The first of them. */
  files: LeftFile[];
}

/** What the walk over the student's files found after its turn. */
export interface LinkReport {
  /** Whether there was a walk. */
  walked: boolean;
  /** Why there was no walk, or why it ended early; null: it was complete. */
  reason: string | null;
  /** Files, folders and links that were looked at. */
  entries: number;
  /** Links that led into places of root's. */
  into_root_places: LeftFiles;
  /** Links into `/proc` and to devices, and pipes: they were removed. */
  removed: LeftFiles;
}

type Fields<Value> = { readonly [Name in keyof Value]: z.ZodType<Value[Name]> };

/** The schemas of a report's fields. */
export const PROCESS_REPORT: Fields<ProcessReport> = {
  count: z.number().int(),
  processes: z.array(z.object({
    name: z.string(),
    age_seconds: z.number(),
    listening: z.array(z.string()),
  })),
  other_listening: z.array(z.string()),
};

const leftFiles = z.object({
  count: z.number().int(),
  files: z.array(z.object({
    path: z.string(),
    kind: z.enum(["link", "pipe", "hard link"]),
    target: z.string().nullable(),
  })),
});

/** The schemas of a report's fields. */
export const LINK_REPORT: Fields<LinkReport> = {
  walked: z.boolean(),
  reason: z.string().nullable(),
  entries: z.number().int(),
  into_root_places: leftFiles,
  removed: leftFiles,
};
