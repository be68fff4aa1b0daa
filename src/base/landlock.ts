import { KarotteError, messageOf } from "./errors.ts";
import { isErrno, type Libc, libc } from "./libc.ts";

/** O_PATH. */
const PATH_ONLY = 0o10000000;

/** The rights of linux/landlock.h that are granted here. */
const EXECUTE = 1n;
const READ_FILE = 4n;
const READ_DIRECTORY = 8n;

/** How many rights to files each version of Landlock knows, from version 1 on. */
const FILE_RIGHTS = [13n, 14n, 15n, 15n, 16n];
/** LANDLOCK_ACCESS_NET_BIND_TCP and _CONNECT_TCP, known from version 4 on. */
const NETWORK_RIGHTS = 3n;
/** LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and _SIGNAL, known from version 6 on. */
const SCOPES = 3n;

/** What may still be opened; all paths are absolute. */
export interface OpenPaths {
  /** Folders of which all may be read. */
  readonly folders: readonly string[];
  /** Files that may be read. */
  readonly files: readonly string[];
  /** Files that may be read and executed. */
  readonly programs: readonly string[];
}

/**
 * Lets the calling thread and every program that it becomes or starts open nothing but the given
 * paths and what /proc has of this very process, for good; no TCP and no signals to others either
 * where the kernel knows how. Other threads that run already are not held. Throws a runtime error
 * where the kernel has no Landlock.
 */
export function restrictOpening({ folders, files, programs }: OpenPaths): void {
  const c = libc();
  const ruleset = c.createRuleset(rulesetOf(landlockVersion(c)));
  try {
    // The start of a program reads its own maps. A rule holds for one inode, and the kernel may
    // make another one for the folder unless a descriptor holds it: this one stays, in the next
    // program too.
    addRule(c, ruleset, c.open("/proc/self", PATH_ONLY, 0), READ_FILE);
    for (const path of folders) addPath(c, ruleset, path, READ_FILE | READ_DIRECTORY);
    for (const path of files) addPath(c, ruleset, path, READ_FILE);
    for (const path of programs) addPath(c, ruleset, path, READ_FILE | EXECUTE);
    c.forbidNewPrivileges();
    c.restrictSelf(ruleset);
  } finally {
    c.close(ruleset);
  }
}

function landlockVersion(c: Libc): number {
  try {
    return c.landlockVersion();
  } catch (cause) {
    throw new KarotteError(
      "runtime",
      `Cannot shut a process in: this kernel has no Landlock (${messageOf(cause)})`,
      { hint: "Landlock is a part of Linux from 5.13 on, unless it is left out of `lsm=`", cause },
    );
  }
}

/** Returns a `struct landlock_ruleset_attr` with all that the version can refuse. */
function rulesetOf(version: number): Uint8Array<ArrayBuffer> {
  const known = FILE_RIGHTS[Math.min(version, FILE_RIGHTS.length) - 1] ?? 0n;
  const fields = [(1n << known) - 1n];
  if (version >= 4) fields.push(NETWORK_RIGHTS);
  if (version >= 6) fields.push(SCOPES);
  return new Uint8Array(BigUint64Array.from(fields).buffer);
}

/** A path that is not there needs no rule: nothing can be opened there. */
function addPath(c: Libc, ruleset: number, path: string, rights: bigint): void {
  let fd: number;
  try {
    fd = c.open(path, PATH_ONLY, 0);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    throw error;
  }
  try {
    addRule(c, ruleset, fd, rights);
  } finally {
    c.close(fd);
  }
}

/** Adds a `struct landlock_path_beneath_attr`. */
function addRule(c: Libc, ruleset: number, fd: number, rights: bigint): void {
  const rule = new DataView(new ArrayBuffer(12));
  rule.setBigUint64(0, rights, true);
  rule.setInt32(8, fd, true);
  c.addPathRule(ruleset, new Uint8Array(rule.buffer));
}
