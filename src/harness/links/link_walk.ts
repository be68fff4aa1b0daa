import { Buffer } from "node:buffer";
import { setImmediate as takeTurn } from "node:timers/promises";
import { isErrno, libc } from "../../base/libc.ts";
import { messageOf } from "../../base/errors.ts";
import {
  type EntryName,
  nameText,
  type WalkedFolder,
  walkFolders,
} from "../../base/walk_folders.ts";
import type { LeftFile, LeftFiles, LinkReport } from "../../schemas/step_end.ts";
import { StudentMisbehaviorError } from "../../sdk/misbehavior.ts";
import { bytesAsText, LinkEnds } from "./link_end.ts";
import type { RootPlace } from "./root_places.ts";

/** The most that one walk looks at. */
export const MAX_ENTRIES = 200_000;
/** Milliseconds that one walk may take. */
export const MAX_MS = 2_000;
/** Files of each kind that a report lists. */
const SHOWN = 20;
/** Characters of a path that are shown. */
const SHOWN_CHARS = 1_000;
/** Entries between two moments in which other work gets its turn. */
const ENTRIES_PER_TURN = 1_000;

/** Types of entries (`DT_DIR`, `DT_REG`): of these no more need be known. */
const FOLDER = 4;
const REGULAR = 8;

export interface LinkWalkOptions {
  /** Whose links count. */
  readonly uid: number;
  readonly gid: number;
  /** Absolute paths of the folders to walk, without links in them. */
  readonly roots: readonly string[];
  readonly places: readonly RootPlace[];
  /** Whether the kernel lets nobody make a hard link to a file that he can't read and write. */
  readonly areHardLinksSafe: boolean;
  /** Tells whether the student may read a file, at a path of real folders. */
  mayRead(path: string): Promise<boolean>;
  readonly maxEntries?: number;
  readonly maxMs?: number;
}

/** Ends a walk before its end. */
class WalkLimit extends Error {}

/**
 * Looks at all that the student left in some folders: counts its links into places of root's, and
 * removes its links into `/proc` and to devices, and its pipes, which would show a reader something
 * of its own, or keep it waiting. Its processes must be gone. Throws a `StudentMisbehaviorError` if
 * such a thing can't be removed.
 */
export async function walkLinks(options: LinkWalkOptions): Promise<LinkReport> {
  const walk = new LinkWalk(options);
  let reason: string | null = null;
  try {
    for (const root of options.roots) await walkFolders(root, (folder) => walk.visit(folder));
  } catch (error) {
    if (error instanceof StudentMisbehaviorError) throw error;
    // What can't be walked to its end (an odd file system) is told, and never fails a run.
    if (!(error instanceof WalkLimit) && !(error instanceof Error && "code" in error)) throw error;
    reason = messageOf(error);
  }
  const { entries, intoRootPlaces, removed } = walk;
  return { walked: true, reason, entries, into_root_places: intoRootPlaces, removed };
}

class LinkWalk {
  entries = 0;
  readonly intoRootPlaces: LeftFiles = { count: 0, files: [] };
  readonly removed: LeftFiles = { count: 0, files: [] };
  readonly #options: LinkWalkOptions;
  readonly #maxEntries: number;
  readonly #maxMs: number;
  readonly #deadline: number;
  readonly #ends: LinkEnds;
  readonly #listing = new Uint8Array(64 * 1024);

  constructor(options: LinkWalkOptions) {
    this.#options = options;
    this.#maxEntries = options.maxEntries ?? MAX_ENTRIES;
    this.#maxMs = options.maxMs ?? MAX_MS;
    this.#deadline = performance.now() + this.#maxMs;
    this.#ends = new LinkEnds(options.places);
  }

  /** Looks at what is in a folder; returns the folders among it. */
  async visit(folder: WalkedFolder): Promise<EntryName[]> {
    const folders: EntryName[] = [];
    for (let some; (some = libc().entriesIn(folder.fd, this.#listing)) !== undefined;) {
      for (const { name, type } of some) {
        this.#count();
        if (this.entries % ENTRIES_PER_TURN === 0) await takeTurn();
        if (type === REGULAR && this.#options.areHardLinksSafe) continue;
        if (type === FOLDER || await this.#look(folder, name)) folders.push(name);
      }
    }
    return folders;
  }

  #count(): void {
    if (this.entries >= this.#maxEntries) {
      throw new WalkLimit(`there are more than ${this.#maxEntries} entries`);
    }
    if (performance.now() > this.#deadline) {
      throw new WalkLimit(`it took longer than ${this.#maxMs / 1000} s`);
    }
    this.entries += 1;
  }

  /** Returns true for a folder. */
  async #look(folder: WalkedFolder, name: EntryName): Promise<boolean> {
    const found = statIfThere(folder.fd, name);
    if (found === undefined) return false;
    const isStudents = found.uid === this.#options.uid;
    switch (found.mode & 0o170000) {
      case 0o040000:
        return true;
      case 0o120000:
        if (isStudents) await this.#lookAtLink(folder, name);
        return false;
      case 0o010000:
        if (isStudents) this.#remove(folder, name, { kind: "pipe", target: null });
        return false;
      case 0o100000:
        if (found.links > 1 && !isStudents) this.#lookAtHardLink(folder, name, found);
        return false;
      default:
        return false;
    }
  }

  async #lookAtLink(folder: WalkedFolder, name: EntryName): Promise<void> {
    const target = bytesAsText(libc().readLinkIn(folder.fd, name));
    const end = this.#ends.endOf({ folder: folder.fd, path: folder.path, target });
    const what = { kind: "link", target: shown(target) } as const;
    if (end.kind === "elsewhere") return;
    if (end.kind !== "root place") return this.#remove(folder, name, what);
    // A program for all that an image has in root's home: a venv's python3.
    if (end.file !== undefined && await this.#options.mayRead(asUtf8(end.file))) return;
    note(this.intoRootPlaces, { path: pathOf(folder, name), ...what });
  }

  /**
   * Counts a second name for a file of others that the student can't read, if it can be its own.
   */
  #lookAtHardLink(
    folder: WalkedFolder,
    name: EntryName,
    { mode, gid }: { mode: number; gid: number },
  ): void {
    const readable = (mode & 0o004) !== 0 || (gid === this.#options.gid && (mode & 0o040) !== 0);
    if (this.#options.areHardLinksSafe || readable) return;
    note(this.intoRootPlaces, { path: pathOf(folder, name), kind: "hard link", target: null });
  }

  #remove(folder: WalkedFolder, name: EntryName, what: Omit<LeftFile, "path">): void {
    const path = pathOf(folder, name);
    try {
      libc().removeIn(folder.fd, name, false);
    } catch (error) {
      // Of an image that nobody can write: the student has not made it.
      if (isErrno(error, "EROFS")) return;
      throw new StudentMisbehaviorError(
        `A ${what.kind} of the student can't be removed: ${path}: ${messageOf(error)}`,
      );
    }
    note(this.removed, { path, ...what });
  }
}

function note(files: LeftFiles, file: LeftFile): void {
  files.count += 1;
  if (files.files.length < SHOWN) files.files.push(file);
}

function statIfThere(folder: number, name: EntryName) {
  try {
    return libc().statIn(folder, name);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

function pathOf({ path }: WalkedFolder, name: EntryName): string {
  return shown(`/${[...path, nameText(name)].join("/")}`);
}

/** Returns text of one character a byte for people. */
function shown(text: string): string {
  return asUtf8(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text);
}

function asUtf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}
