import { isDirectorySync, readTextIfThereSync } from "../../base/files.ts";
import { STUDENT_FOLDERS } from "./root_places.ts";

/** File systems that hold no files of anyone's. */
const WITHOUT_FILES =
  /^(autofs|binfmt_misc|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|mqueue)$|^(nsfs|proc|pstore|securityfs|sysfs|tracefs)$/;

/**
 * Lists the folders to walk for what the student left: those that it may write in every sandbox,
 * and what is mounted besides, if the student may write at the top of it. None lies in another.
 */
export function walkRoots(
  ids: { uid: number; gid: number },
  mounts = readTextIfThereSync("/proc/self/mountinfo") ?? "",
): string[] {
  const fixed = STUDENT_FOLDERS.filter(isDirectorySync);
  const mounted = writableMounts(mounts).filter((path) => isWritable(path, ids));
  const all = [...new Set([...fixed, ...mounted].map((path) => Deno.realPathSync(path)))];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

function writableMounts(mounts: string): string[] {
  return mounts.split("\n").flatMap((line) => {
    // ID PARENT DEVICE ROOT PLACE OPTIONS ... - TYPE SOURCE OPTIONS
    const [own = "", system = ""] = line.split(" - ");
    const [, , , , place = "", options = ""] = own.split(" ");
    const isOut = place === "/" || !options.split(",").includes("rw") ||
      WITHOUT_FILES.test(system.split(" ")[0] ?? "");
    return isOut || !place.startsWith("/") ? [] : [unescaped(place)];
  });
}

/** Undoes the octal escapes of the kernel's tables. */
function unescaped(place: string): string {
  return place.replace(
    /\\(\d{3})/g,
    (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function isWritable(path: string, { uid, gid }: { uid: number; gid: number }): boolean {
  if (!isDirectorySync(path)) return false;
  const info = Deno.statSync(path);
  const mode = info.mode ?? 0;
  if (info.uid === uid) return true;
  return (mode & 0o002) !== 0 || (info.gid === gid && (mode & 0o020) !== 0);
}
