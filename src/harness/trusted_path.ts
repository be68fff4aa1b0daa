import { isReachableDirectorySync } from "../base/files.ts";
import { stepsOf } from "../base/path_steps.ts";
import { STUDENT } from "../protocol/layout.ts";

/**
 * The user that files of users outside the namespace seem to belong to (overflowuid in proc(5)).
 */
const OVERFLOW_UID = 65534;

/**
 * Returns a PATH without the parts that are relative, missing, or within the student's reach: root
 * must not start a program that the student put there.
 */
export async function trustedPath(value: string): Promise<string> {
  const parts = [...new Set(value.split(":"))];
  const trusted = await Promise.all(parts.map(isTrustedFolder));
  return parts.filter((_, index) => trusted[index]).join(":");
}

async function isTrustedFolder(path: string): Promise<boolean> {
  if (!path.startsWith("/")) return false;
  return await changeablePlace(path) === undefined && isReachableDirectorySync(path);
}

/**
 * Returns the first place on the way to an absolute path that others than root can change, the path
 * itself included; undefined: there is none. Stricter than what the student may change just now: a
 * folder where all may make entries, though nobody may remove those of others, is such a place. One
 * that is missing is nobody's, where all above it is root's.
 */
export async function changeablePlace(path: string): Promise<string | undefined> {
  for await (const { folder, inside, entry, found } of stepsOf(path)) {
    if (canOthersChange(inside)) return folder;
    // A link's own mode says nothing, and who may replace it is its folder's matter.
    if (found !== undefined && !found.isSymlink && canOthersChange(found)) return entry;
  }
  return undefined;
}

/** The student has no group but its own, so the rights of other groups are nothing to it. */
function canOthersChange({ uid, gid, mode }: Deno.FileInfo): boolean {
  const bits = mode ?? 0o777;
  if ((bits & 0o002) !== 0) return true;
  if ((bits & 0o020) !== 0 && gid === STUDENT.gid) return true;
  return uid !== 0 && !(uid === OVERFLOW_UID && isInUserNamespace());
}

/** Elsewhere the user of that number is one like any other. */
function isInUserNamespace(): boolean {
  const map = Deno.readTextFileSync("/proc/self/uid_map").trim().split(/\s+/);
  return map.join(" ") !== "0 0 4294967295";
}
