import { isReachableFile } from "../../base/files.ts";
import { STUDENT } from "../../protocol/layout.ts";
import { studentWritablePart } from "./student_writable_part.ts";

/** How a program was to be started. */
export interface ProgramStart {
  readonly argv: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
}

/** Interpreters in a row that are looked at: the kernel allows no more. */
const MOST_INTERPRETERS = 4;
/** Bytes of a program's first line that the kernel looks at. */
const FIRST_LINE_BYTES = 256;

/**
 * Returns the place by which the student may have brought about that a program can't be started:
 * on the way to the program, to an interpreter that it names, or to its `cwd`. Undefined: there is
 * none, so the fault is another's.
 */
export async function studentsPartInFailure(
  { argv, cwd, env }: ProgramStart,
  ids: { uid: number; gid: number } = STUDENT,
): Promise<string | undefined> {
  const folder = absolute(cwd ?? ".", Deno.cwd());
  const part = await studentWritablePart(folder, ids);
  // The folder the harness itself is in was not asked for.
  if (part !== undefined && cwd !== undefined) return part;
  const [program = ""] = argv;
  for (const path of candidates(program, { folder, env })) {
    const part = await partOnTheWay(path, ids);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** Returns the paths at which a program is looked for. */
function candidates(
  program: string,
  { folder, env }: { folder: string; env: ProgramStart["env"] },
): string[] {
  if (program.includes("/")) return [absolute(program, folder)];
  const searched = (env?.PATH ?? Deno.env.get("PATH") ?? "").split(":");
  return searched.map((each) => absolute(`${each === "" ? "." : each}/${program}`, folder));
}

async function partOnTheWay(
  path: string,
  ids: { uid: number; gid: number },
): Promise<string | undefined> {
  let program: string | undefined = path;
  for (let count = 0; program !== undefined && count <= MOST_INTERPRETERS; count++) {
    const part = await studentWritablePart(program, ids);
    if (part !== undefined) return part;
    program = await interpreterOf(program);
  }
  return undefined;
}

/** Returns the absolute path that a script's first line names; undefined: there is none. */
async function interpreterOf(path: string): Promise<string | undefined> {
  if (!await isReachableFile(path)) return undefined;
  using file = await Deno.open(path);
  const bytes = new Uint8Array(FIRST_LINE_BYTES);
  const count = await file.read(bytes) ?? 0;
  const line = new TextDecoder().decode(bytes.subarray(0, count)).split("\n", 1)[0];
  return /^#![ \t]*(\/[^ \t]*)/.exec(line ?? "")?.[1];
}

function absolute(path: string, folder: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}
