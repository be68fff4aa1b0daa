import { isReachableSync, readTextIfThereSync } from "../../base/files.ts";
import {
  DATA_DIRECTORIES,
  PRIVATE_DIRECTORY,
  STATE_DIRECTORY,
  WORK_DIRECTORY,
} from "../../protocol/layout.ts";

/** A place where nothing of the student's may lead. */
export interface RootPlace {
  /** Its absolute path. */
  readonly path: string;
  /** A home of root's: an image may have programs for all in it, which the student may read. */
  readonly isHome: boolean;
}

/** Folders that the student may write in every sandbox. */
export const STUDENT_FOLDERS = [WORK_DIRECTORY, "/tmp", "/var/tmp", "/dev/shm"];

/** Lists root's places: the private data folders, what is Karotte's own, and homes of root's. */
export function rootPlaces(): RootPlace[] {
  const kept = [
    ...DATA_DIRECTORIES.filter(({ access }) => access === "root").map(({ target }) => target),
    ...[PRIVATE_DIRECTORY, STATE_DIRECTORY],
  ];
  return [
    ...named(kept).map((path) => ({ path, isHome: false })),
    ...named(["/root", ...rootHomes()]).map((path) => ({ path, isHome: true })),
  ];
}

/** Adds the places where some paths lead, if they or folders above them are links of the image. */
function named(paths: readonly string[]): string[] {
  const real = paths.map((path) => isReachableSync(path) ? Deno.realPathSync(path) : path);
  return [...new Set([...paths, ...real])];
}

/** The homes of the accounts with the id 0; not one that holds the student's folders, like `/`. */
function rootHomes(): string[] {
  const lines = (readTextIfThereSync("/etc/passwd") ?? "").split("\n");
  return lines.flatMap((line) => {
    const [, , uid, , , home = ""] = line.split(":");
    const path = home.replace(/\/+$/, "");
    const isOfUse = uid === "0" && path.startsWith("/") &&
      !STUDENT_FOLDERS.some((folder) => `${folder}/`.startsWith(`${path}/`));
    return isOfUse ? [path] : [];
  });
}
