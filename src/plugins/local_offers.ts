import { dirname, relative, resolve } from "node:path";
import { ifThereSync } from "../base/files.ts";
import { digestOf, fileDigest } from "../cache/digest.ts";
import type { FileTarget } from "../loader/module_target.ts";
import { lockKey, readLockFile, updateLockFile } from "../loader/packages/lock_file.ts";
import { sorted } from "../loader/packages/package_set.ts";
import type { ModuleSource } from "./module_loader.ts";

/** A local module, with the lock file beside the manifest that names it. */
export interface LocalSource extends ModuleSource {
  readonly target: FileTarget;
  readonly lockFile: string;
}

/** What a lock file says that a local module offers. */
export interface LocalOffer {
  readonly value: Readonly<Record<string, unknown>>;
  /** Paths of the files that it was found out from, as far as they are listed. */
  readonly files: readonly string[];
  /** Returns true if those are all, and they are what they were. */
  isCurrent(): boolean;
}

/** A local module's part of the lock file, beside what it offers; the same in every clone. */
interface Recorded {
  /** SHA-256 in hex of each file, by its path as seen from the lock file. */
  readonly files: Readonly<Record<string, string>>;
  /** Digest of the pins of the packages that it imports, which may be in what it offers. */
  readonly pins?: string;
  /** Files of a `node_modules` have a part in it, which no clone has: it is never current. */
  readonly isPartial?: true;
}

/** Returns what the lock file says that a module offers; undefined: nothing that makes sense. */
export function readLocalOffer({ target, lockFile }: LocalSource): LocalOffer | undefined {
  const value = readLockFile(lockFile).local?.[lockKey(target.path, lockFile)];
  if (!isRecorded(value)) return undefined;
  const folder = dirname(lockFile);
  const digests = Object.entries(value.files);
  const files = digests.map(([path]) => resolve(folder, path));
  const isCurrent = () =>
    value.isPartial !== true && files.length > 0 &&
    value.pins === pinsDigest({ target, lockFile }) &&
    digests.every(([path, digest]) => digestThere(resolve(folder, path)) === digest);
  return { value: { ...value }, files, isCurrent };
}

export interface LocalOfferFacts {
  readonly offer: { readonly plugin: string; readonly groups: object };
  /** Paths of the files that it was found out from. */
  readonly inputs: readonly string[];
  /** Returns false if the files have changed since they were loaded. */
  isStillSo(): Promise<boolean>;
}

/**
 * Writes what a local module offers, with the digests of its files, into the lock file, which is
 * made if there is none. Throws a `KarotteError` if it can't be written.
 */
export async function writeLocalOffer(
  { target, lockFile: path }: LocalSource,
  cacheDirectory: string,
  { offer: { plugin, groups }, inputs, isStillSo }: LocalOfferFacts,
): Promise<void> {
  const key = lockKey(target.path, path);
  const listed = inputs.filter((input) => !input.includes("/node_modules/"));
  const pins = pinsDigest({ target, lockFile: path });
  const recorded = sorted({
    plugin,
    groups,
    files: Object.fromEntries(
      listed.map((input) => [relative(dirname(path), input), digestThere(input) ?? ""]),
    ),
    ...(pins === undefined ? {} : { pins }),
    ...(listed.length < inputs.length ? { isPartial: true } : {}),
  });
  const known = readLockFile(path).local?.[key];
  if (JSON.stringify(sorted(known)) === JSON.stringify(recorded) || !await isStillSo()) return;
  await updateLockFile({ path, cacheDirectory }, (_modules, local) => local[key] = recorded);
}

/** Returns the digest of the pins of a module's packages; undefined: it has none. */
function pinsDigest({ target, lockFile }: Pick<LocalSource, "target" | "lockFile">) {
  const real = ifThereSync(() => Deno.realPathSync(target.path));
  const pins = real && readLockFile(lockFile).modules[lockKey(real, lockFile)];
  if (!pins) return undefined;
  const { imports, packages } = pins;
  return digestOf(JSON.stringify(sorted({ imports, packages })));
}

/** Limits what a look at a lock file costs, which may be a stranger's and name any file. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;

/** Returns the digest of a file; undefined: there is none, or it can't be that of a module. */
function digestThere(path: string): string | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile || size > MOST_FILE_BYTES) return undefined;
    // Those of /proc are empty too, and to read one may wait for ever.
    return size === 0 ? digestOf("") : fileDigest(path);
  } catch {
    // Whatever keeps us from it, it is not what it was.
    return undefined;
  }
}

function isRecorded(value: unknown): value is Recorded {
  if (typeof value !== "object" || value === null) return false;
  const { files, pins = "" } = value as Readonly<{ [Key in keyof Recorded]?: unknown }>;
  return typeof pins === "string" && typeof files === "object" && files !== null &&
    Object.values(files).every((digest) => typeof digest === "string");
}
