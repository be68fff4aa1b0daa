import { ifThere, isReachableDirectorySync } from "../base/files.ts";
import { STUDENT } from "../protocol/layout.ts";

/** Links that are followed on the way to one path, as by the kernel. */
const MAX_LINKS = 40;
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
 * itself included; undefined: there is none. The way is walked component by component, links
 * followed. A place that is missing is nobody's: all above it is root's.
 */
export async function changeablePlace(path: string): Promise<string | undefined> {
  let place = "";
  let links = 0;
  const rest = namesOf(path);
  if (canOthersChange(await Deno.stat("/"))) return "/";
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === "..") {
      place = place.slice(0, Math.max(0, place.lastIndexOf("/")));
      continue;
    }
    const next = `${place}/${name}`;
    const info = await ifThere(Deno.lstat(next));
    if (info === undefined) return undefined;
    if (info.isSymlink) {
      if (++links > MAX_LINKS) return next;
      const target = await Deno.readLink(next);
      if (target.startsWith("/")) place = "";
      rest.unshift(...namesOf(target));
      continue;
    }
    if (canOthersChange(info)) return next;
    if (!info.isDirectory) return undefined;
    place = next;
  }
  return undefined;
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
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
