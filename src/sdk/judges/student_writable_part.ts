import { ifThere } from "../../base/files.ts";
import { STUDENT } from "../../protocol/layout.ts";

/** The number of links that the kernel follows in one path. */
const MOST_LINKS = 40;

/**
 * Follows an absolute path, through links too, and returns the first place on it that the student
 * may have changed: an entry of its own, or one that it may make, remove or replace. Undefined: all
 * of the path is in the hands of others, whether anything is there or not.
 */
export async function studentWritablePart(
  path: string,
  { uid, gid }: { uid: number; gid: number } = STUDENT,
): Promise<string | undefined> {
  const names = path.split("/").filter(Boolean);
  let folder = "/";
  for (let links = 0; names.length > 0;) {
    const name = names.shift() as string; // the loop's condition
    if (name === ".") continue;
    if (name === "..") {
      folder = parentOf(folder);
      continue;
    }
    const inside = await Deno.lstat(folder);
    const entry = folder === "/" ? `/${name}` : `${folder}/${name}`;
    const found = await ifThere(Deno.lstat(entry));
    if (inside.uid === uid || found?.uid === uid) return entry;
    // In a sticky folder everybody makes entries, and nobody removes those of others.
    const isSticky = ((inside.mode ?? 0) & 0o1000) !== 0;
    if (mayWrite(inside, { gid }) && !(isSticky && found !== undefined)) return entry;
    if (found === undefined) return undefined;
    if (found.isSymlink) {
      links += 1;
      if (links > MOST_LINKS) return undefined;
      const target = await Deno.readLink(entry);
      if (target.startsWith("/")) folder = "/";
      names.unshift(...target.split("/").filter(Boolean));
    } else if (found.isDirectory) {
      folder = entry;
    } else {
      return mayWrite(found, { gid }) ? entry : undefined;
    }
  }
  return mayWrite(await Deno.lstat(folder), { gid }) ? folder : undefined;
}

function mayWrite({ mode, gid: group }: Deno.FileInfo, { gid }: { gid: number }): boolean {
  return ((mode ?? 0) & (group === gid ? 0o020 : 0o002)) !== 0;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
