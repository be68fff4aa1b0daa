import { join } from "node:path";
import { ensureOwnDirectory } from "../../cache/cache_directory.ts";
import { writeWhole } from "../../cache/cache_store.ts";
import { digestOf } from "../../cache/digest.ts";
import { lockKey, readLockFile, updateLockFile } from "./lock_file.ts";
import { parseRequest } from "./package_request.ts";
import { type PackageSet, packageSet } from "./package_set.ts";

/** Where it is remembered which versions somebody's packages have. */
export interface PackageMemory {
  /** Undefined: nothing is remembered. */
  read(): RememberedPackages | undefined;
  write(set: PackageSet): Promise<void>;
}

export interface RememberedPackages {
  readonly set: PackageSet;
  /** Stays until somebody asks for newer versions. */
  readonly isPinned: boolean;
  /** May be used without a look at the registry. */
  readonly isFresh: boolean;
}

export interface PackageMemoryOptions {
  /** Whose packages they are: a package as it was asked for, or the path of a file or folder. */
  readonly owner: string;
  readonly cacheDirectory: string;
  /** Absent: versions are remembered for a day. */
  readonly lockFile: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function packageMemory(options: PackageMemoryOptions): PackageMemory {
  const { owner, cacheDirectory, lockFile } = options;
  return lockFile === undefined
    ? dayMemory(owner, cacheDirectory)
    : lockMemory(owner, { path: lockFile, cacheDirectory });
}

function lockMemory(
  owner: string,
  file: { path: string; cacheDirectory: string },
): PackageMemory {
  const key = lockKey(owner, file.path);
  return {
    read() {
      const { modules } = readLockFile(file.path);
      const set = modules[key];
      if (set !== undefined) return { set, isPinned: true, isFresh: true };
      // The same package in another range: what fits of it is kept.
      const other = Object.keys(modules).find((candidate) => isSamePackage(candidate, key));
      if (other === undefined) return undefined;
      // An index signature, and the key is one of its own.
      return { set: modules[other] as PackageSet, isPinned: true, isFresh: false };
    },
    write: (set) => updateLockFile(file, (modules) => modules[key] = set),
  };
}

function isSamePackage(a: string, b: string): boolean {
  const [one, other] = [parseRequest(a), parseRequest(b)];
  return one !== undefined && one.registry === other?.registry && one.name === other.name;
}

function dayMemory(owner: string, cacheDirectory: string): PackageMemory {
  const folder = join(cacheDirectory, "packages", "versions");
  const path = join(folder, `${digestOf(owner)}.json`);
  return {
    read() {
      const set = readSet(path);
      if (set === undefined) return undefined;
      const age = Date.now() - (Deno.statSync(path).mtime?.getTime() ?? 0);
      return { set, isPinned: false, isFresh: age < DAY_MS };
    },
    async write(set) {
      await ensureOwnDirectory(folder);
      await writeWhole(path, JSON.stringify(set));
    },
  };
}

/** Undefined: it is not there, or can't be made sense of. */
function readSet(path: string): PackageSet | undefined {
  try {
    return packageSet.safeParse(JSON.parse(Deno.readTextFileSync(path))).data;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
