import { type PathStep, stepsOf } from "../../base/path_steps.ts";
import { STUDENT } from "../../protocol/layout.ts";

/**
 * Follows an absolute path, through links too, and returns the first place on it that the student
 * may have changed: an entry of its own, or one that it may make, remove or replace. Undefined: all
 * of the path is in the hands of others, whether anything is there or not.
 */
export async function studentWritablePart(
  path: string,
  { uid, gid }: { uid: number; gid: number } = STUDENT,
): Promise<string | undefined> {
  let last: PathStep | undefined;
  for await (const step of stepsOf(path)) {
    const { inside, entry, found } = step;
    if (inside.uid === uid || found?.uid === uid) return entry;
    // In a sticky folder everybody makes entries, and nobody removes those of others.
    const isSticky = ((inside.mode ?? 0) & 0o1000) !== 0;
    if (mayWrite(inside, { gid }) && !(isSticky && found !== undefined)) return entry;
    last = step;
  }
  const end = last?.found;
  if (last === undefined || end === undefined || end.isSymlink) return undefined;
  return mayWrite(end, { gid }) ? last.entry : undefined;
}

function mayWrite({ mode, gid: group }: Deno.FileInfo, { gid }: { gid: number }): boolean {
  return ((mode ?? 0) & (group === gid ? 0o020 : 0o002)) !== 0;
}
