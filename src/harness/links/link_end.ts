import { Buffer } from "node:buffer";
import { isErrno, libc } from "../../base/libc.ts";
import { type EntryName, nameBytes } from "../../base/walk_folders.ts";
import type { RootPlace } from "./root_places.ts";

/** Where a link leads; text has one character a byte. */
export type LinkEnd =
  | { readonly kind: "elsewhere" }
  /** `file`: the regular file at its end, in a home of root's. */
  | { readonly kind: "root place"; readonly file: string | undefined }
  /** Into `/proc`, which shows everyone something else. */
  | { readonly kind: "proc" }
  | { readonly kind: "device" };

/** The most links that the kernel follows in one path. */
const MAX_LINKS = 40;
const TYPE = 0o170000;
const FOLDER = 0o040000;
const LINK = 0o120000;
const DEVICES = [0o020000, 0o060000];
const currentDirectory = -100;
/** O_PATH: to go on from there, with no right to read. */
const pathOnly = 0o10000000;
const closeOnExec = 0o2000000;

/**
 * Follows links as the kernel would, a component at a time, and past an end that does not exist.
 */
export class LinkEnds {
  readonly #places: readonly { readonly names: readonly string[]; readonly isHome: boolean }[];

  constructor(places: readonly RootPlace[]) {
    this.#places = places.map(({ path, isHome }) => ({
      names: bytesAsText(new TextEncoder().encode(path)).split("/").filter(Boolean),
      isHome,
    }));
  }

  /** Says where a link in an open folder leads. It is nowhere that a place of root's is passed. */
  endOf(link: { folder: number; path: readonly string[]; target: string }): LinkEnd {
    using way = new Way(link.folder, link.path);
    let links = 1;
    let home = false;
    const rest = way.follow(link.target);
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      if (name === "" || name === ".") continue;
      if (name === "..") {
        way.up();
        continue;
      }
      const found = way.look(name);
      const place = this.#placeOf(way.path);
      if (place?.isHome === false) return { kind: "root place", file: undefined };
      home ||= place !== undefined;
      if (way.isProc()) {
        const ahead = rest.filter((part) => part !== "" && part !== ".").reverse();
        if (ahead[0] === "..") continue;
        return isStandardStream(ahead) ? { kind: "elsewhere" } : { kind: "proc" };
      }
      if (found !== LINK) continue;
      if (++links > MAX_LINKS) break;
      rest.push(...way.follow(way.readLink(name)));
    }
    if (home) return { kind: "root place", file: way.filePath() };
    return { kind: way.isDevice() ? "device" : "elsewhere" };
  }

  #placeOf(path: readonly string[]) {
    return this.#places.find(({ names }) => names.every((name, index) => path[index] === name));
  }
}

/** `self/fd/0` to `self/fd/2`: where `/dev/stdin`, `/dev/stdout` and `/dev/stderr` lead. */
function isStandardStream(ahead: readonly string[]): boolean {
  return /^self\/fd\/[012]$/.test(ahead.join("/"));
}

/** Where the following of a link has come to. */
class Way implements Disposable {
  /** The names from `/`; of what does not exist too. */
  readonly path: string[];
  /** The folder that it is in; undefined once there is nothing, or no folder, to go on from. */
  #folder: number | undefined;
  /** Whether `#folder` is ours to close. */
  #isOwn = false;
  /** The file type of the last component; undefined: it is not there. */
  #type: number | undefined = FOLDER;

  constructor(folder: number, path: readonly string[]) {
    this.#folder = folder;
    this.path = [...path];
  }

  /** Returns the components of a link's target, the first one last, and starts from its root. */
  follow(target: string): string[] {
    if (target.startsWith("/")) {
      this.path.length = 0;
      this.#enter(libc().openIn(currentDirectory, ROOT, { flags: pathOnly | closeOnExec }));
    }
    return target.split("/").reverse();
  }

  /** Steps to a name; returns its file type, undefined if there is none. A link is not followed. */
  look(name: string): number | undefined {
    this.path.push(name);
    const bytes = kernelName(name);
    const folder = this.#folder;
    this.#type = folder === undefined ? undefined : ifThere(() => {
      return libc().statIn(folder, bytes).mode & TYPE;
    });
    if (folder === undefined || this.#type === LINK) return this.#type;
    if (this.#type === FOLDER) {
      this.#enter(ifThere(() => libc().openIn(folder, bytes, { flags: pathOnly | closeOnExec })));
    } else {
      this.#enter(undefined);
    }
    return this.#type;
  }

  /** Reads the link that was stepped to, and steps back to the folder that it is in. */
  readLink(name: string): string {
    this.path.pop();
    const folder = this.#folder;
    if (folder === undefined) return "";
    return bytesAsText(ifThere(() => libc().readLinkIn(folder, kernelName(name))) ?? NOTHING);
  }

  up(): void {
    this.path.pop();
    const folder = this.#folder;
    if (folder === undefined) return;
    this.#type = FOLDER;
    this.#enter(ifThere(() => libc().openIn(folder, UP, { flags: pathOnly | closeOnExec })));
  }

  isProc(): boolean {
    return this.path[0] === "proc" && this.path.length === 1;
  }

  /** Reading from `/dev/null` ends; from others it may never. */
  isDevice(): boolean {
    return DEVICES.includes(this.#type ?? 0) && this.path.join("/") !== "dev/null";
  }

  /** Returns the path of the regular file at the end; undefined if it is none. */
  filePath(): string | undefined {
    return this.#type === 0o100000 ? `/${this.path.join("/")}` : undefined;
  }

  [Symbol.dispose](): void {
    this.#enter(undefined);
  }

  #enter(folder: number | undefined): void {
    if (this.#isOwn && this.#folder !== undefined) libc().close(this.#folder);
    this.#folder = folder;
    this.#isOwn = folder !== undefined;
  }
}

const ROOT = nameBytes("/");
const UP = nameBytes("..");
const NOTHING = new Uint8Array(0);

/** Returns bytes as text of one character a byte. */
export function bytesAsText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

function kernelName(text: string): EntryName {
  return new Uint8Array(Buffer.from(`${text}\0`, "latin1"));
}

/** Undefined for what is not there, and for what can't be looked at or is too long a name. */
function ifThere<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    const passed = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EACCES", "ELOOP", "EINVAL", "EIO"];
    if (passed.some((code) => isErrno(error, code))) return undefined;
    throw error;
  }
}
