import { libc } from "../base/libc.ts";

const FILE_KIND = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;
/** O_NONBLOCK and O_CLOEXEC: nothing is waited for, and no child gets it. */
const FLAGS = 0o4000 | 0o2000000;
const LISTING_BYTES = 64 * 1024;

/** An entry of a folder. */
export interface FolderEntry {
  /** The name as the kernel has it, with the NUL at its end. */
  readonly name: Uint8Array<ArrayBuffer>;
  /** The name as text; where it is no UTF-8 each byte that is not ASCII is written as `\xNN`. */
  readonly text: string;
  /** Whether `text` is that name and not a way to write it. */
  readonly isText: boolean;
}

/** A folder that is open: what it holds is reached without any path, and without its links. */
export class OpenFolder implements Disposable {
  readonly #fd: number;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** Opens a folder by an absolute path that has no links in it. Throws a `LibcError`. */
  static open(path: string): OpenFolder {
    const currentDirectory = -100;
    const name = new TextEncoder().encode(`${path}\0`);
    return new OpenFolder(libc().openIn(currentDirectory, name, { flags: FLAGS }));
  }

  /** Lists the entries in the order of their names. */
  entries(): FolderEntry[] {
    const c = libc();
    const buffer = new Uint8Array(LISTING_BYTES);
    const entries: FolderEntry[] = [];
    for (let some = c.namesIn(this.#fd, buffer); some; some = c.namesIn(this.#fd, buffer)) {
      for (const name of some) entries.push(folderEntry(name));
    }
    return entries.sort((left, right) => left.text < right.text ? -1 : 1);
  }

  /** Tells what an entry is, without following a link. */
  kindOf({ name }: FolderEntry): "file" | "folder" | "link" | "special" {
    const kind = libc().statIn(this.#fd, name).mode & FILE_KIND;
    if (kind === REGULAR) return "file";
    if (kind === FOLDER) return "folder";
    return kind === LINK ? "link" : "special";
  }

  /** Opens a folder in this one; a link is refused. */
  openFolder({ name }: FolderEntry): OpenFolder {
    return new OpenFolder(libc().openIn(this.#fd, name, { flags: FLAGS, isFolder: true }));
  }

  /** Opens a regular file in this folder for reading; a link, and all else, is refused. */
  openFile({ name }: FolderEntry): OpenRegularFile {
    const c = libc();
    const fd = c.openIn(this.#fd, name, { flags: FLAGS });
    const { mode, size } = c.stat(fd);
    if ((mode & FILE_KIND) === REGULAR) return new OpenRegularFile(fd, { mode, size });
    c.close(fd);
    throw Object.assign(new Error("not a regular file"), { code: "EINVAL" });
  }

  [Symbol.dispose](): void {
    libc().close(this.#fd);
  }
}

/** Returns the entry of a name that ends with a NUL. */
export function folderEntry(name: Uint8Array<ArrayBuffer>): FolderEntry {
  const plain = name.subarray(0, -1);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain);
    return { name, text, isText: true };
  } catch {
    return { name, text: Array.from(plain, escapedByte).join(""), isText: false };
  }
}

function escapedByte(byte: number): string {
  return byte >= 0x20 && byte < 0x7f
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** A stretch of a file: its first byte, and its length in bytes. */
export type Extent = readonly [offset: number, length: number];

/** Gaps that are shorter than so many bytes are read like data. */
const SHORTEST_HOLE = 1024 * 1024;
/** The errno of a place after the last data of a file. */
const NO_MORE_DATA = "ENXIO";

/** A regular file that is open for reading. */
export class OpenRegularFile implements Disposable {
  readonly #fd: number;
  readonly size: number;
  readonly isExecutable: boolean;

  constructor(fd: number, { mode, size }: { mode: number; size: number }) {
    this.#fd = fd;
    this.size = size;
    this.isExecutable = (mode & 0o111) !== 0;
  }

  /** Returns how many bytes were read into `buffer` from `offset`; 0 at the end. */
  readAt(buffer: Uint8Array<ArrayBuffer>, offset: number): number {
    return libc().readAt(this.#fd, buffer, offset);
  }

  /**
   * Returns the stretches that hold data, after which so many places were looked at that the rest
   * is taken for data; undefined: all of it is, or the file system does not tell. What lies between
   * them is zeros.
   */
  dataExtents(most: number): Extent[] | undefined {
    const extents: [number, number][] = [];
    let looks = 0;
    for (let at = 0; at < this.size;) {
      const start = this.#seek("data", at);
      if (start === undefined) break;
      const end = looks++ < most ? this.#seek("hole", start) ?? this.size : this.size;
      const last = extents.at(-1);
      const lastEnd = last === undefined ? 0 : last[0] + last[1];
      if (start - lastEnd >= SHORTEST_HOLE || extents.length === 0) {
        // The first stretch begins where a hole that is worth it ends.
        const from = extents.length === 0 && start < SHORTEST_HOLE ? 0 : start;
        extents.push([from, end - from]);
      } else if (last !== undefined) {
        last[1] = end - last[0];
      }
      at = end;
    }
    const end = extents.at(-1);
    const isAll = extents.length === 1 && end?.[0] === 0 && this.size - end[1] < SHORTEST_HOLE;
    return isAll || this.size < SHORTEST_HOLE ? undefined : extents;
  }

  [Symbol.dispose](): void {
    libc().close(this.#fd);
  }

  /** Returns where data, or the next hole, begins; undefined: there is none from here on. */
  #seek(kind: "data" | "hole", from: number): number | undefined {
    try {
      return libc().seek(this.#fd, from, kind);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === NO_MORE_DATA) return undefined;
      // A file system that knows nothing of holes.
      if (code === "EINVAL") return kind === "data" ? from : undefined;
      throw error;
    }
  }
}
