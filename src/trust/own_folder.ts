import { dirname, join } from "node:path";
import { ifThereSync, isReachableSync } from "../base/files.ts";
import type { FolderIdentity, FolderRecord } from "./trust_record.ts";

/** Returns who a folder is; undefined: there is none at the path. */
export function identityOf(folder: string): FolderIdentity | undefined {
  const info = ifThereSync(() => Deno.statSync(folder));
  if (info === undefined || !info.isDirectory) return undefined;
  return { inode: info.ino, birth: info.birthtime?.getTime() ?? null };
}

/**
 * Returns true if the user called a folder, or one above it, his own. A repository that was cloned
 * into a folder of his is nobody's until he says so.
 */
export function isOwn(
  folder: string,
  folders: Readonly<Record<string, FolderRecord>>,
): boolean {
  for (let current = folder;; current = dirname(current)) {
    const record = folders[current];
    if (record?.pinned) return false;
    if (record?.own !== undefined && isSame(record.own, identityOf(current))) return true;
    if (isReachableSync(join(current, ".git")) || current === dirname(current)) return false;
  }
}

function isSame(one: FolderIdentity, other: FolderIdentity | undefined): boolean {
  return other !== undefined && one.inode === other.inode && one.birth === other.birth;
}
