import { dirname, join } from "node:path";
import { configDirectory } from "../base/config_directory.ts";
import { KarotteError, messageOf } from "../base/errors.ts";
import { distrust } from "../base/ownership.ts";

/**
 * Tells a folder from another one that takes its path later. Its device is not in it: that has
 * another number after a reboot.
 */
export interface FolderIdentity {
  readonly inode: number | null;
  /** Milliseconds since 1970; null: the file system does not know. */
  readonly birth: number | null;
}

/** What the user said about one folder. */
export interface FolderRecord {
  /** What stands in this folder takes effect at once, as long as it is this folder. */
  readonly own?: FolderIdentity;
  /** Digests of the wishes that the user said yes to, by their names. */
  readonly wishes: Readonly<Record<string, string>>;
}

/** What the user said, by the real path of the folder. */
export type Folders = Readonly<Record<string, FolderRecord>>;

/** Goes up when older programs would misread the record. */
const RECORD_VERSION = 1;

type Variable = (name: string) => string | undefined;

/** Returns where the record is kept; undefined: no variable names a folder for it. */
export function trustRecordPath(variable?: Variable): string | undefined {
  const directory = configDirectory(variable);
  return directory === undefined ? undefined : join(directory, "trust.json");
}

/**
 * Reads what the user said; nothing, where there is no record yet. Throws a plugin error for a
 * record that others could have written, or that can't be made sense of.
 */
export function readTrustRecord(variable?: Variable): Folders {
  const path = trustRecordPath(variable);
  const info = path === undefined ? undefined : infoOf(path);
  if (path === undefined || info === undefined) return {};
  if (!info.isFile) throw unusable(path, "it is no regular file");
  const reason = distrust(path);
  if (reason !== undefined) throw unusable(path, reason);
  let value: unknown;
  try {
    value = JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    throw unusable(path, messageOf(error));
  }
  return foldersIn(value, path);
}

/**
 * Changes what the user said, of one folder; undefined: nothing is known of it any more. Other
 * commands that do so at the same time wait. Throws a plugin error if it can't be kept.
 */
export async function changeTrust(
  folder: string,
  change: (before: FolderRecord | undefined) => FolderRecord | undefined,
  variable?: Variable,
): Promise<void> {
  const path = trustRecordPath(variable);
  if (path === undefined) {
    throw new KarotteError("plugin", "Cannot keep what you trust: HOME is not set", {
      hint: "set HOME or XDG_CONFIG_HOME to a folder of yours",
    });
  }
  const [{ takeLock, writeWhole }, { giveToInvokingUser }] = await Promise.all([
    import("../cache/cache_store.ts"),
    import("../records/invoking_user.ts"),
  ]);
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    using _lock = await takeLock(`${path}.lock`);
    const { [folder]: before, ...others } = readTrustRecord(variable);
    const after = change(before);
    const folders = after === undefined ? others : { ...others, [folder]: after };
    await writeWhole(path, `${JSON.stringify({ version: RECORD_VERSION, folders }, null, 1)}\n`);
    await giveToInvokingUser(path);
  } catch (error) {
    if (error instanceof KarotteError) throw error;
    throw new KarotteError(
      "plugin",
      `Cannot keep what you trust in "${path}": ${messageOf(error)}`,
      {
        hint: "XDG_CONFIG_HOME names another folder for it",
        cause: error,
      },
    );
  }
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    // A folder for it that is none has no record either.
    const isMissing = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (isMissing) return undefined;
    throw error;
  }
}

function foldersIn(value: unknown, path: string): Folders {
  const { version, folders } = isObject(value) ? value : {};
  if (typeof version === "number" && version > RECORD_VERSION) {
    throw unusable(path, "a newer Karotte wrote it", "update this one");
  }
  if (version !== RECORD_VERSION || !isObject(folders)) throw unusable(path, "it has no folders");
  for (const [folder, record] of Object.entries(folders)) {
    if (!isFolderRecord(record)) throw unusable(path, `what it says of "${folder}" is no record`);
  }
  // Each of them was looked at.
  return folders as Folders;
}

function isFolderRecord(value: unknown): value is FolderRecord {
  if (!isObject(value) || !isObject(value.wishes)) return false;
  const { own, wishes } = value;
  return Object.values(wishes).every((digest) => typeof digest === "string") &&
    (own === undefined || isIdentity(own));
}

function isIdentity(value: unknown): value is FolderIdentity {
  return isObject(value) &&
    [value.inode, value.birth].every((part) => part === null || typeof part === "number");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unusable(
  path: string,
  found: string,
  hint = "mend it, or remove it and say again what you trust: karotte trust",
): KarotteError {
  return new KarotteError(
    "plugin",
    `Cannot use the record of what you trust, "${path}": ${found}`,
    {
      hint,
    },
  );
}
