import { isErrno, libc } from "../base/libc.ts";
import type { TreePart } from "./student/tree_reader.ts";

const currentDirectory = -100;
/** O_WRONLY, O_CREAT, O_EXCL and O_CLOEXEC. */
const NEW_FILE = 0o1 | 0o100 | 0o200 | 0o2000000;

/**
 * Writes a tree as it is read to a path where nothing is yet, in a folder of root's: folders 0700,
 * files 0600. Runs of zeros become holes. Throws a `LibcError` for what fails, and leaves what is
 * written by then.
 */
export async function writeTree(
  path: string,
  tree: AsyncIterable<TreePart[]> | Iterable<TreePart[]>,
): Promise<void> {
  const root = new TextEncoder().encode(path);
  let file: NewFile | undefined;
  try {
    for await (const parts of tree) {
      for (const part of parts) {
        if (part.kind === "bytes") file?.write(part.bytes);
        else if (part.kind === "zeros") file?.skip(part.length);
        else {
          file?.end();
          file = undefined;
          const place = placeOf(root, part.path);
          if (part.kind === "folder") libc().makeFolder(place, 0o700);
          else file = new NewFile(place);
        }
      }
    }
    file?.end();
  } finally {
    file?.[Symbol.dispose]();
  }
}

/** Whether an error is one that a full disk or an overlong name causes: the student's doing. */
export function isStudentsDoing(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG", "ENAMETOOLONG"].some((code) => isErrno(error, code));
}

class NewFile implements Disposable {
  #fd: number | undefined;
  #size = 0;
  /** Where the last bytes that are no zeros end. */
  #written = 0;

  constructor(place: Uint8Array<ArrayBuffer>) {
    this.#fd = libc().openIn(currentDirectory, place, { flags: NEW_FILE, mode: 0o600 });
  }

  write(bytes: Uint8Array<ArrayBuffer>): void {
    for (let done = 0; done < bytes.length;) {
      done += libc().writeAt(this.#open, bytes.subarray(done), this.#size + done);
    }
    this.#size += bytes.length;
    this.#written = this.#size;
  }

  skip(length: number): void {
    this.#size += length;
  }

  /** Closes the file; a hole at its end is nothing that was written. */
  end(): void {
    if (this.#size > this.#written) libc().truncate(this.#open, this.#size);
    this[Symbol.dispose]();
  }

  get #open(): number {
    if (this.#fd === undefined) throw new TypeError("the file is closed");
    return this.#fd;
  }

  [Symbol.dispose](): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) libc().close(fd);
  }
}

/** Returns the path in the copy, as bytes that end with a NUL. */
function placeOf(root: Uint8Array, below: Uint8Array): Uint8Array<ArrayBuffer> {
  const place = new Uint8Array(root.length + below.length + 2);
  place.set(root);
  if (below.length > 0) place.set([0x2f], root.length);
  place.set(below, root.length + (below.length > 0 ? 1 : 0));
  return place.subarray(0, root.length + below.length + (below.length > 0 ? 2 : 1));
}
