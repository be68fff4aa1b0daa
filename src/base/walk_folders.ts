import { Buffer } from "node:buffer";
import { isErrno, libc } from "./libc.ts";

/** A folder that a walk has come to. */
export interface WalkedFolder {
  /** Its descriptor, open until the visit is over. */
  readonly fd: number;
  /** The names on the way to it from `/`, as `nameText` makes them; the walk's own array. */
  readonly path: readonly string[];
}

/** A name in a folder, as the kernel takes it: bytes that end with a NUL. */
export type EntryName = Uint8Array<ArrayBuffer>;

/** A folder on the way from the root of a walk to where it is. */
interface Place {
  readonly device: number;
  readonly inode: number;
  /** The folders in it that were not entered yet. */
  readonly folders: EntryName[];
}

const currentDirectory = -100;
const nonBlocking = 0o4000;
const closeOnExec = 0o2000000;
const UP = nameBytes("..");

/**
 * Visits a folder and those below it, each before what is in it; `visit` returns the names of the
 * folders to enter. It goes by descriptors and follows no link. Only one folder is open at a time,
 * so neither depth nor length of a path are limited. A root that is not there has nothing in it.
 * Throws what `visit` throws, a `LibcError`, and one with the code `ESTALE` if folders are moved.
 */
export async function walkFolders(
  root: string,
  visit: (folder: WalkedFolder) => Promise<EntryName[]>,
): Promise<void> {
  const top = openFolder(currentDirectory, nameBytes(root));
  if (top === undefined) return;
  let here = top.fd;
  const path = root.split("/").filter(Boolean).map((name) => nameText(nameBytes(name)));
  try {
    const stack: Place[] = [{ ...top, folders: await visit({ fd: here, path }) }];
    for (let place = stack.at(-1); place !== undefined; place = stack.at(-1)) {
      const from: number = here;
      const next = place.folders.pop();
      if (next === undefined) {
        stack.pop();
        const outer = stack.at(-1);
        if (outer === undefined) return;
        path.pop();
        here = openUp(from, outer);
        libc().close(from);
        continue;
      }
      const inner = openFolder(from, next);
      if (inner === undefined) continue;
      here = inner.fd;
      libc().close(from);
      path.push(nameText(next));
      stack.push({ ...inner, folders: await visit({ fd: here, path }) });
    }
  } finally {
    libc().close(here);
  }
}

/**
 * Returns a name as text of one character a byte, so that names of any bytes stay what they are.
 */
export function nameText(name: EntryName): string {
  return Buffer.from(name.buffer, name.byteOffset, name.length - 1).toString("latin1");
}

/** Returns ordinary text as a name for the kernel. */
export function nameBytes(text: string): EntryName {
  return new TextEncoder().encode(`${text}\0`);
}

/** Undefined for what is no folder any more. */
function openFolder(from: number, name: EntryName) {
  const gone = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"];
  try {
    const fd = libc().openIn(from, name, { flags: nonBlocking | closeOnExec, isFolder: true });
    const { device, inode } = libc().stat(fd);
    return { fd, device, inode };
  } catch (error) {
    if (gone.some((code) => isErrno(error, code))) return undefined;
    throw error;
  }
}

function openUp(from: number, outer: Place): number {
  const fd = libc().openIn(from, UP, { flags: nonBlocking | closeOnExec });
  const { device, inode } = libc().stat(fd);
  if (device === outer.device && inode === outer.inode) return fd;
  libc().close(fd);
  throw Object.assign(new Error("a folder was moved meanwhile"), { code: "ESTALE" });
}
