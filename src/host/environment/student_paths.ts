import { STUDENT_DATA, WORK_DIRECTORY } from "../../protocol/layout.ts";
import { isReachableDirectorySync } from "../../base/files.ts";
import { join } from "node:path";

/** A place in an environment's code that uses one of the student's files as root. */
export interface StudentPathUse {
  /** Below the environment's folder. */
  readonly file: string;
  readonly line: number;
  /** As in the code: `Deno.readTextFile("/workdir/answer.txt")`. */
  readonly call: string;
}

const FUNCTIONS = "read|write|copy|open|create|truncate|rename|remove|chmod|chown|mkdir";
/** A call of Deno with a literal path below the working directory among its arguments. */
const CALL = new RegExp(
  `\\bDeno\\s*\\.\\s*((?:${FUNCTIONS})\\w*)\\s*\\((?:[^()"'\`]*,)?\\s*["'\`](${WORK_DIRECTORY}/[^"'\`\\n]*)`,
  "g",
);
const SOURCE = /\.(?:[mc]?[jt]s|[jt]sx)$/;

/**
 * Finds calls in the code below `src/environment` that read or write a literal path of the
 * student's as root, who would follow a link that the student left there. A path that is made at
 * run time is not seen.
 */
export async function findStudentPaths(environmentDirectory: string): Promise<StudentPathUse[]> {
  const root = "src/environment";
  if (!isReachableDirectorySync(join(environmentDirectory, root))) return [];
  const found: StudentPathUse[] = [];
  for (const file of await sourcesBelow(environmentDirectory, root)) {
    const text = await Deno.readTextFile(join(environmentDirectory, file));
    found.push(...studentPathsIn(text).map((use) => ({ file, ...use })));
  }
  return found;
}

/** Finds them in one file's text. */
export function studentPathsIn(text: string): Omit<StudentPathUse, "file">[] {
  return [...text.matchAll(CALL)].flatMap(({ index, 1: name, 2: path = "" }) => {
    const before = text.slice(0, index).split("\n");
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(before.at(-1) ?? "");
    if (isComment || isRoots(path)) return [];
    return [{ line: before.length, call: `Deno.${name}("${path}")` }];
  });
}

/** True for what the student can't replace. */
function isRoots(path: string): boolean {
  return path === STUDENT_DATA || `${path}/`.startsWith(`${WORK_DIRECTORY}/shared/`);
}

async function sourcesBelow(directory: string, folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(join(directory, folder)));
  const found: string[] = [];
  for (const { name, isFile, isDirectory } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = `${folder}/${name}`;
    if (isFile && SOURCE.test(name)) found.push(path);
    else if (isDirectory && name !== "node_modules") {
      found.push(...await sourcesBelow(directory, path));
    }
  }
  return found;
}
