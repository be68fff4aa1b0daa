import type { Libc } from "../../base/libc.ts";
import type { SubmissionLimits } from "../../sdk/submission.ts";

/** A piece of a tree that is read in order: the first is the tree's own file or folder. */
export type TreePart =
  /** A folder at a path below the tree's root, which is bytes; empty: the root itself. */
  | { kind: "folder"; path: Uint8Array<ArrayBuffer> }
  /** A regular file, empty as yet. */
  | { kind: "file"; path: Uint8Array<ArrayBuffer> }
  /** The next bytes of the file that began last. */
  | { kind: "bytes"; bytes: Uint8Array<ArrayBuffer> }
  /** As many zeros of it. */
  | { kind: "zeros"; length: number };

export type TreeLimits = Required<SubmissionLimits>;

export type TreeReader = ReturnType<typeof openTreeReader>;

/**
 * Opens the root of a tree to read, with the rights of the calling thread: by descriptors, without
 * following a link anywhere in a path, and never waiting for anything. Errors have a `code`: an
 * errno, or `LINK`, `SPECIAL` or `LIMIT` for what is refused.
 *
 * Self-contained, since its text is a part of the student thread.
 */
export function openTreeReader(c: Libc, path: string, limits: TreeLimits) {
  interface Folder {
    readonly fd: number;
    readonly path: Uint8Array<ArrayBuffer>;
    readonly names: readonly Uint8Array<ArrayBuffer>[];
    next: number;
  }
  interface OpenFile {
    readonly fd: number;
    readonly path: Uint8Array<ArrayBuffer>;
    readonly size: number;
    offset: number;
  }
  const nonBlocking = 0o4000;
  const noTerminal = 0o400;
  const closeOnExec = 0o2000000;
  const flags = nonBlocking | noTerminal | closeOnExec;
  const currentDirectory = -100;
  const procFileSystem = 0x9fa0;
  const chunkBytes = 1024 * 1024;
  const kinds: Record<number, string> = {
    0o010000: "a FIFO",
    0o020000: "a device",
    0o060000: "a device",
    0o140000: "a socket",
  };
  const listing = new Uint8Array(64 * 1024);
  const chunk = new Uint8Array(chunkBytes);
  const stack: Folder[] = [];
  let file: OpenFile | undefined;
  let entries = 0;
  /** The number of a file system that is not /proc. */
  let plainDevice: number | undefined;
  let totalBytes = 0;

  /** Writes a path below the root for people; bytes that are no UTF-8 are escaped. */
  function shown(below: Uint8Array<ArrayBuffer>): string {
    if (below.length === 0) return "it";
    try {
      return JSON.stringify(new TextDecoder("utf-8", { fatal: true }).decode(below));
    } catch {
      const characters = Array.from(
        below,
        (byte) =>
          byte >= 32 && byte < 127
            ? String.fromCharCode(byte)
            : `\\x${byte.toString(16).padStart(2, "0")}`,
      );
      return `"${characters.join("")}"`;
    }
  }

  function refuse(code: string, message: string): never {
    throw Object.assign(new Error(message), { code });
  }

  function joined(folder: Uint8Array<ArrayBuffer>, name: Uint8Array<ArrayBuffer>) {
    const plain = name.subarray(0, -1); // without its NUL
    const start = folder.length === 0 ? 0 : folder.length + 1;
    const path = new Uint8Array(start + plain.length);
    path.set(folder);
    if (start > 0) path[start - 1] = 0x2f;
    path.set(plain, start);
    return path;
  }

  /** Opens an entry; undefined: it is left out. */
  function openEntry(folder: number, name: Uint8Array<ArrayBuffer>, path: Uint8Array<ArrayBuffer>) {
    try {
      return c.openIn(folder, name, { flags });
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code === "ELOOP") {
        if (limits.links === "leave out" && path.length > 0) return undefined;
        return refuse(
          "LINK",
          path.length > 0 ? `${shown(path)} is a link` : "a link is in its path",
        );
      }
      if (code === "ENXIO") return refuse("SPECIAL", `${shown(path)} is a socket or a device`);
      // Of a folder whose student still works: it might have been gone a moment earlier.
      if (code === "ENOENT" && path.length > 0) return undefined;
      if (code === "EACCES" || code === "EPERM") {
        return refuse(code, `${shown(path)} can't be read by the student`);
      }
      return refuse(code ?? "other", path.length > 0 ? `${shown(path)}: ${message}` : message);
    }
  }

  function namesOf(fd: number): Uint8Array<ArrayBuffer>[] {
    const names: Uint8Array<ArrayBuffer>[] = [];
    for (let some = c.namesIn(fd, listing); some !== undefined; some = c.namesIn(fd, listing)) {
      entries += some.length;
      if (entries > limits.maxEntries) {
        refuse("LIMIT", `it has more than ${limits.maxEntries} entries`);
      }
      names.push(...some);
    }
    return names.sort((a, b) => {
      let at = 0;
      while (a[at] === b[at] && at < a.length) at++;
      return (a[at] ?? 0) - (b[at] ?? 0);
    });
  }

  /** Refuses a file by the size that it has, before any of it is read. */
  function checkSize(path: Uint8Array<ArrayBuffer>, fileBytes: number): void {
    if (fileBytes > limits.maxFileBytes) {
      refuse("LIMIT", `${shown(path)} has more than ${limits.maxFileBytes} bytes`);
    }
    if (totalBytes + fileBytes > limits.maxTotalBytes) {
      refuse("LIMIT", `it has more than ${limits.maxTotalBytes} bytes in all`);
    }
  }

  function enter(
    folder: number,
    name: Uint8Array<ArrayBuffer>,
    path: Uint8Array<ArrayBuffer>,
  ): TreePart | undefined {
    const fd = openEntry(folder, name, path);
    if (fd === undefined) return undefined;
    try {
      const { mode, size, device } = c.stat(fd);
      const kind = mode & 0o170000;
      // Files of /proc describe whoever opens them, which is the harness.
      if (device !== plainDevice) {
        if (c.fileSystemOf(fd) === procFileSystem) refuse("SPECIAL", `${shown(path)} is in /proc`);
        plainDevice = device;
      }
      if (kind === 0o100000) {
        checkSize(path, size);
        file = { fd, path, size, offset: 0 };
        return { kind: "file", path };
      }
      if (kind !== 0o040000) refuse("SPECIAL", `${shown(path)} is ${kinds[kind] ?? "no file"}`);
      if (stack.length > limits.maxDepth) {
        refuse("LIMIT", `it has more than ${limits.maxDepth} folders in one another`);
      }
      stack.push({ fd, path, names: namesOf(fd), next: 0 });
      return { kind: "folder", path };
    } catch (error) {
      c.close(fd);
      throw error;
    }
  }

  function isZero(bytes: Uint8Array<ArrayBuffer>): boolean {
    const words = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
    return words.every((word) => word === 0) &&
      bytes.subarray(words.length * 4).every((byte) => byte === 0);
  }

  /** Reads on in the open file; undefined if it has no more. Closes it at its end. */
  function readOn(open: OpenFile) {
    const count = c.readAt(open.fd, chunk, open.offset);
    open.offset += count;
    checkSize(open.path, open.offset);
    if (count === 0 || (count < chunkBytes && open.offset >= open.size)) {
      file = undefined;
      c.close(open.fd);
      totalBytes += open.offset;
    }
    if (count === 0) return undefined;
    if (isZero(chunk.subarray(0, count))) return { kind: "zeros" as const, length: count };
    return { kind: "bytes" as const, bytes: chunk.slice(0, count) };
  }

  function step(): TreePart | undefined {
    if (file !== undefined) return readOn(file);
    const folder = stack.at(-1);
    if (folder === undefined) return undefined;
    const name = folder.names[folder.next++];
    if (name !== undefined) return enter(folder.fd, name, joined(folder.path, name));
    stack.pop();
    c.close(folder.fd);
    return undefined;
  }

  const first = enter(
    currentDirectory,
    new TextEncoder().encode(`${path}\0`),
    new Uint8Array(0),
  );
  let waiting = first;
  return {
    /** Reads the next parts, some MiB of them; none: that was all. */
    next(): TreePart[] {
      const parts: TreePart[] = [];
      if (waiting !== undefined) parts.push(waiting);
      waiting = undefined;
      let bytes = 0;
      while ((file !== undefined || stack.length > 0) && bytes < 4 * chunkBytes) {
        const part = step();
        if (part === undefined) continue;
        parts.push(part);
        // What a part itself costs counts too.
        bytes += part.kind === "bytes" ? part.bytes.length + 1024 : 1024;
      }
      return parts;
    },
    close(): void {
      for (const { fd } of stack.splice(0)) c.close(fd);
      if (file !== undefined) c.close(file.fd);
      file = undefined;
    },
  };
}
