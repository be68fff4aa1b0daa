import { ifThereSync } from "../base/files.ts";
import type { FolderIdentity, Folders } from "./trust_record.ts";

/** Returns who a folder is; undefined: there is none at the path. */
export function identityOf(folder: string): FolderIdentity | undefined {
  const info = ifThereSync(() => Deno.statSync(folder));
  if (info === undefined || !info.isDirectory) return undefined;
  return { inode: info.ino, birth: info.birthtime?.getTime() ?? null };
}

/**
 * Returns true if the user called a folder his own. Folders in it are not: a repository that was
 * cloned there is a stranger's, and what a run wrote there is the student's.
 */
export function isOwn(folder: string, folders: Folders): boolean {
  const own = Object.hasOwn(folders, folder) ? folders[folder]?.own : undefined;
  return own !== undefined && isSame(own, identityOf(folder));
}

function isSame(one: FolderIdentity, other: FolderIdentity | undefined): boolean {
  return other !== undefined && one.inode === other.inode && one.birth === other.birth;
}
