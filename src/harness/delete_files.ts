import { setTimeout as delay } from "node:timers/promises";
import { isErrno, libc } from "../base/libc.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import { submissionPath } from "../sdk/submission.ts";

/** Which files are deleted. */
export interface DeleteFilesOptions {
  /** Whose files and folders go; those of others stay. */
  readonly uid: number;
  /** Files and folders, with all that is in them, that stay. */
  readonly except?: readonly string[];
  /** Milliseconds for all of it; ten minutes if absent. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const SHOWN_FAILURES = 10;
/** Entries between two looks at the clock, when other work gets its turn too. */
const ENTRIES_PER_TURN = 500;

/**
 * Deletes a user's files below some folders, which stay themselves, and returns their number. It
 * goes by descriptors, follows no link, and neither enters nor removes what something is mounted
 * on; trees may be of any depth. A folder that is not there is an empty one. Throws a
 * `StudentMisbehaviorError` if something can't be deleted or if it takes too long.
 */
export async function deleteFiles(
  folders: readonly string[],
  { uid, except = [], timeoutMs = DEFAULT_TIMEOUT_MS }: DeleteFilesOptions,
): Promise<number> {
  const kept = except.map(submissionPath);
  const sweep = new Sweep(uid, performance.now() + timeoutMs);
  for (const folder of folders.map(submissionPath)) {
    if (kept.some((path) => isWithin(folder, path))) continue;
    const below = kept.filter((path) => isWithin(path, folder));
    await sweep.run(folder, below.map((path) => path.slice(folder.length + 1).split("/")));
  }
  sweep.throwFailures();
  return sweep.count;
}

/** A folder on the way from the root of a sweep to where it is. */
interface Place {
  /** In the folder above, with a NUL at the end. */
  readonly name: Uint8Array<ArrayBuffer>;
  readonly uid: number;
  readonly device: number;
  readonly inode: number;
  /** The names on the way to each thing below that stays. */
  readonly kept: readonly (readonly string[])[];
  /** Folders in it that were not entered yet. */
  readonly folders: Uint8Array<ArrayBuffer>[];
}

const currentDirectory = -100;
const nonBlocking = 0o4000;
const closeOnExec = 0o2000000;
const flags = nonBlocking | closeOnExec;
const UP = new TextEncoder().encode("..\0");

class Sweep {
  count = 0;
  readonly #uid: number;
  readonly #deadline: number;
  readonly #failures: string[] = [];
  readonly #listing = new Uint8Array(64 * 1024);
  #steps = 0;

  constructor(uid: number, deadline: number) {
    this.#uid = uid;
    this.#deadline = deadline;
  }

  /** Deletes below one folder. Only the folder where it is, is open: a tree may be a deep one. */
  async run(root: string, kept: Place["kept"]): Promise<void> {
    const name = new TextEncoder().encode(`${root}\0`);
    let here = this.#open(currentDirectory, name, { sameMount: false });
    if (here === undefined) return;
    try {
      const stack = [await this.#enter(here, name, kept)];
      for (let place = stack.at(-1); place !== undefined; place = stack.at(-1)) {
        const next = place.folders.pop();
        const from: number = here;
        if (next !== undefined) {
          const inner = this.#open(from, next, { sameMount: true });
          if (inner === undefined) continue;
          here = inner;
          libc().close(from);
          stack.push(await this.#enter(here, next, below(place.kept, next)));
          continue;
        }
        stack.pop();
        const outer = stack.at(-1);
        if (outer === undefined) break;
        here = libc().openIn(from, UP, { flags });
        libc().close(from);
        const { device, inode } = libc().stat(here);
        if (device !== outer.device || inode !== outer.inode) {
          this.#failures.push(`${root}: a folder was moved meanwhile`);
          break;
        }
        if (place.uid === this.#uid) this.#remove(here, place.name, { isFolder: true });
      }
    } finally {
      libc().close(here);
    }
  }

  throwFailures(): void {
    if (this.#failures.length === 0) return;
    const shown = this.#failures.slice(0, SHOWN_FAILURES).join(", ");
    const more = this.#failures.length - SHOWN_FAILURES;
    throw new StudentMisbehaviorError(
      `Files of the student can't be deleted: ${shown}${more > 0 ? ` and ${more} more` : ""}`,
    );
  }

  /** Deletes the files of a folder that is open, and notes the folders. */
  async #enter(
    fd: number,
    name: Uint8Array<ArrayBuffer>,
    kept: Place["kept"],
  ): Promise<Place> {
    const { uid, device, inode } = libc().stat(fd);
    const folders: Uint8Array<ArrayBuffer>[] = [];
    for (let names; (names = libc().namesIn(fd, this.#listing)) !== undefined;) {
      for (const entry of names) {
        await this.#takeTurn();
        if (kept.some((path) => path.length === 1 && path[0] === textOf(entry))) continue;
        const found = ifThere(() => libc().statIn(fd, entry));
        if (found === undefined) continue;
        if ((found.mode & 0o170000) === 0o040000) folders.push(entry);
        else if (found.uid === this.#uid) this.#remove(fd, entry, { isFolder: false });
      }
    }
    return { name, uid, device, inode, kept, folders };
  }

  /** Undefined for what is no folder any more, or where something is mounted. */
  #open(from: number, name: Uint8Array<ArrayBuffer>, how: { sameMount: boolean }) {
    return ifThere(() => libc().openIn(from, name, { flags, isFolder: true, ...how }));
  }

  #remove(from: number, name: Uint8Array<ArrayBuffer>, { isFolder }: { isFolder: boolean }): void {
    try {
      libc().removeIn(from, name, isFolder);
      this.count += 1;
    } catch (error) {
      // Gone by itself, holds what stays, is a mount point, or is read-only for all.
      const harmless = ["ENOENT", "ENOTEMPTY", "EEXIST", "EBUSY", "EROFS", "EISDIR", "ENOTDIR"];
      if (harmless.some((code) => isErrno(error, code))) return;
      this.#failures.push(`${JSON.stringify(textOf(name))}: ${(error as Error).message}`);
    }
  }

  async #takeTurn(): Promise<void> {
    if (++this.#steps % ENTRIES_PER_TURN > 0) return;
    await delay(0);
    if (performance.now() < this.#deadline) return;
    throw new StudentMisbehaviorError(
      `Files of the student can't be deleted in time: ${this.count} are gone`,
    );
  }
}

/** Returns the rest of each path that begins with a name. */
function below(kept: Place["kept"], name: Uint8Array<ArrayBuffer>): Place["kept"] {
  if (kept.length === 0) return kept;
  const text = textOf(name);
  return kept.flatMap(([first, ...rest]) => first === text ? [rest] : []);
}

function textOf(name: Uint8Array<ArrayBuffer>): string {
  return new TextDecoder().decode(name.subarray(0, -1));
}

/** Passes over what is gone or was replaced meanwhile, and what something is mounted on. */
function ifThere<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    const passed = ["ENOENT", "ENOTDIR", "ELOOP", "EXDEV", "ENXIO"];
    if (passed.some((code) => isErrno(error, code))) return undefined;
    throw error;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
