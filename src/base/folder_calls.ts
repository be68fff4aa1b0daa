/** The functions of the C library that folders are read with. */
export interface FolderSymbols {
  statx(
    folder: number,
    name: Uint8Array<ArrayBuffer>,
    flags: number,
    mask: number,
    found: Uint8Array<ArrayBuffer>,
  ): number;
  readlinkat(
    folder: number,
    name: Uint8Array<ArrayBuffer>,
    target: Uint8Array<ArrayBuffer>,
    size: bigint,
  ): bigint;
  getdents64(
    call: bigint,
    folder: number,
    buffer: Uint8Array<ArrayBuffer>,
    size: bigint,
  ): bigint;
  fstatfs(fd: number, found: Uint8Array<ArrayBuffer>): number;
  /** The number of that system call here. */
  readonly getdents64Number: number;
  /** Returns what a call returned; throws a `LibcError` if it failed. */
  checked(call: string, result: number | bigint): number;
  lastErrno(): string;
}

/**
 * Returns the calls that list folders and look at what is in them. Self-contained, as `openLibc`
 * is, whose text it follows in the student thread.
 */
export function folderCalls(c: FolderSymbols) {
  /** A `mode` has the file type bits. */
  function statAt(folder: number, name: Uint8Array<ArrayBuffer>, flags: number) {
    const found = new DataView(new ArrayBuffer(256));
    const basicStats = 0x7ff;
    const { buffer } = found;
    const bytes = new Uint8Array(buffer);
    c.checked("statx", c.statx(folder, name, flags, basicStats, bytes));
    return {
      /** The number of names that it has. */
      links: found.getUint32(16, true),
      uid: found.getUint32(20, true),
      gid: found.getUint32(24, true),
      mode: found.getUint16(28, true),
      /** The number of the file in its file system; exact where it is below 2^53. */
      inode: Number(found.getBigUint64(32, true)),
      size: Number(found.getBigUint64(40, true)),
      device: found.getUint32(136, true) * 2 ** 32 + found.getUint32(140, true),
    };
  }

  function entriesIn(folder: number, buffer: Uint8Array<ArrayBuffer>) {
    const size = BigInt(buffer.length);
    const listed = c.getdents64(BigInt(c.getdents64Number), folder, buffer, size);
    // A folder that was removed while it was open has no entries.
    if (Number(listed) < 0 && c.lastErrno() === "ENOENT") return undefined;
    const count = c.checked("getdents64", listed);
    if (count === 0) return undefined;
    const view = new DataView(buffer.buffer, buffer.byteOffset, count);
    const entries: { name: Uint8Array<ArrayBuffer>; type: number }[] = [];
    for (let at = 0; at < count; at += view.getUint16(at + 16, true)) {
      const start = at + 19;
      const name = buffer.slice(start, buffer.indexOf(0, start) + 1);
      const isDots = name[0] === 46 && (name.length === 2 || (name.length === 3 && name[1] === 46));
      if (!isDots) entries.push({ name, type: view.getUint8(at + 18) });
    }
    return entries;
  }

  return {
    /**
     * Lists some more entries of an open folder; undefined at its end. A name is bytes that end
     * with a NUL, a `type` the kernel's (`DT_DIR` 4, `DT_REG` 8), 0 where it does not know.
     * `buffer` takes what the kernel says and bounds it.
     */
    entriesIn,
    /** Lists the names of `entriesIn`. */
    namesIn: (folder: number, buffer: Uint8Array<ArrayBuffer>) =>
      entriesIn(folder, buffer)?.map(({ name }) => name),
    /** Looks at what has a name in an open folder; of a link it is the link. */
    statIn(folder: number, name: Uint8Array<ArrayBuffer>) {
      const noFollow = 0x100;
      const noAutomount = 0x800;
      return statAt(folder, name, noFollow | noAutomount);
    },
    stat(fd: number) {
      const emptyPath = 0x1000;
      return statAt(fd, new Uint8Array(1), emptyPath);
    },
    /** Reads where a link in an open folder leads; `name` ends with a NUL. */
    readLinkIn(folder: number, name: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
      const target = new Uint8Array(4096); // PATH_MAX, and no target is longer
      const size = BigInt(target.length);
      const length = c.checked("readlinkat", c.readlinkat(folder, name, target, size));
      return target.subarray(0, length);
    },
    /** The magic number of the file system that a file is in. */
    fileSystemOf(fd: number): number {
      const found = new DataView(new ArrayBuffer(256));
      c.checked("fstatfs", c.fstatfs(fd, new Uint8Array(found.buffer)));
      return found.getUint32(0, true);
    },
  };
}
