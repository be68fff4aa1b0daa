import { z } from "zod";
import { selfCommand } from "../../base/self_command.ts";
import { shellWord } from "../../base/shell_word.ts";
import type { HarnessStudent } from "../student/student.ts";

/** What programs are started with: written at the harness's start, read by `as-student`. */
export interface StudentAccount {
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  /** All that its processes have. */
  readonly variables: Readonly<Record<string, string>>;
}

const accountSchema: z.ZodType<StudentAccount> = z.object({
  uid: z.number().int(),
  gid: z.number().int(),
  home: z.string(),
  variables: z.record(z.string(), z.string()),
});

/**
 * Writes the program that `KAROTTE_AS_STUDENT` names into a new folder of root's, and returns its
 * path. It is a shell script, so that one path is enough wherever a program is named.
 */
export async function installAsStudent(
  folder: string,
  { uid, gid, home, variables }: HarnessStudent,
  program: readonly string[] = selfCommand(),
): Promise<string> {
  await Deno.mkdir(folder, { mode: 0o700 });
  const account: StudentAccount = { uid, gid, home, variables };
  await Deno.writeTextFile(`${folder}/account.json`, JSON.stringify(account), { mode: 0o600 });
  const path = `${folder}/run`;
  await Deno.writeTextFile(path, script([...program, "as-student", folder]), { mode: 0o700 });
  return path;
}

/** Reads what was written for `as-student`. */
export function readAccount(folder: string): StudentAccount {
  return accountSchema.parse(JSON.parse(Deno.readTextFileSync(`${folder}/account.json`)));
}

/**
 * The shell waits, in the session and process group of the caller: whatever ends it, its child
 * learns of that, ends the student's program, and is not ended itself.
 */
function script(argv: readonly string[]): string {
  const cache = Deno.env.get("DENO_DIR");
  const assignments = [
    ...(cache === undefined ? [] : [`DENO_DIR=${shellWord(cache)}`]),
    "DENO_NO_UPDATE_CHECK=1",
    "NO_COLOR=1",
  ];
  return [
    "#!/bin/sh",
    "# Runs a program with the student's rights: [--timeout SECONDS] [--memory BYTES] -- ARGV",
    `${[...assignments, ...argv.map(shellWord)].join(" ")} "$$" "$@"`,
    "exit $?",
    "",
  ].join("\n");
}
