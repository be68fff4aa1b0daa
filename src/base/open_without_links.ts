import { libc } from "./libc.ts";

/** A regular file that was opened for reading. */
export interface OpenFile extends Disposable {
  readonly mode: number;
  /** Bytes read into `buffer` from `offset`; 0 at the end. */
  readAt(buffer: Uint8Array<ArrayBuffer>, offset: number): number;
}

/**
 * Opens a regular file without following a link anywhere in its path and without waiting for
 * anything, so nothing swapped in at the last moment is read in its place. Throws a `LibcError`
 * (`ELOOP` for a link, `EINVAL` for what is no regular file).
 */
export function openWithoutLinks(path: string): OpenFile {
  const c = libc();
  const nonBlocking = 0o4000;
  const closeOnExec = 0o2000000;
  const fd = c.open(path, nonBlocking | closeOnExec, 0, true);
  try {
    const { mode } = c.stat(fd);
    if ((mode & 0o170000) === 0o100000) {
      return {
        mode,
        readAt: (buffer, offset) => c.readAt(fd, buffer, offset),
        [Symbol.dispose]: () => void c.close(fd),
      };
    }
    throw Object.assign(new Error("not a regular file"), { code: "EINVAL" });
  } catch (error) {
    c.close(fd);
    throw error;
  }
}
