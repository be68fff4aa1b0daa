import { dirname, isAbsolute, join, relative } from "node:path";
import { z } from "zod";
import { KarotteError } from "../../base/errors.ts";
import { ensureOwnDirectory } from "../../cache/cache_directory.ts";
import { takeLock, writeWhole } from "../../cache/cache_store.ts";
import { digestOf } from "../../cache/digest.ts";
import { type PackageSet, packageSet, sorted } from "./package_set.ts";

/**
 * `karotte.plugins.lock.json`. By plugin, which is a package as it was asked for or the path of a
 * local file relative to the lock file: every package it needs, with the version and the integrity
 * that are used until the range no longer fits or `updateModules` is called.
 *
 * ```json
 * {
 *   "version": 1,
 *   "modules": {
 *     "npm:karotte-acme@2": {
 *       "imports": { "npm:karotte-acme@2": "karotte-acme" },
 *       "packages": {
 *         "node_modules/karotte-acme": { "version": "2.0.1", "integrity": "sha512-…" }
 *       }
 *     }
 *   }
 * }
 * ```
 *
 * `imports` has the folder in `node_modules` for each package that the plugin itself asks for;
 * `packages` has the fields of npm's own lock file. `local`, by the path of a local plugin, is what
 * it offers (`local_offers.ts`). Other properties are kept as they are.
 */
const lockFile = z.looseObject({
  version: z.literal(1),
  modules: z.record(z.string(), z.looseObject(packageSet.shape)),
  local: z.record(z.string(), z.unknown()).optional(),
});

export type LockFile = z.output<typeof lockFile>;

/**
 * Returns what the file says; empty if it is not there. Throws a `KarotteError` if it can't be
 * used.
 */
export function readLockFile(path: string): LockFile {
  let value: unknown;
  try {
    value = JSON.parse(Deno.readTextFileSync(path));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return { version: 1, modules: {} };
    throw unusable(path, String(cause), cause);
  }
  const { data, error } = lockFile.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw unusable(path, `${issue?.path.join(".")}: ${issue?.message}`, error);
}

/** Returns the name of a plugin in the lock file. */
export function lockKey(owner: string, lockFile: string): string {
  if (!isAbsolute(owner)) return owner;
  const path = relative(dirname(lockFile), owner);
  return path.startsWith("../") ? path : `./${path}`;
}

export interface UpdateLockFileOptions {
  readonly path: string;
  readonly cacheDirectory: string;
}

/** Changes the file in one step; processes that do so at once wait for each other. */
export async function updateLockFile(
  { path, cacheDirectory }: UpdateLockFileOptions,
  change: (modules: Record<string, PackageSet>, local: Record<string, unknown>) => void,
): Promise<void> {
  await ensureOwnDirectory(cacheDirectory);
  const folder = await ensureOwnDirectory(join(cacheDirectory, "packages"));
  using _lock = await takeLock(join(folder, `${digestOf(path)}.lock`));
  const current = readLockFile(path);
  const [modules, local] = [{ ...current.modules }, { ...current.local }];
  change(modules, local);
  const changed = {
    ...current,
    modules: sorted(modules),
    local: Object.keys(local).length === 0 ? undefined : sorted(local),
  };
  const text = `${JSON.stringify(changed, undefined, 2)}\n`;
  try {
    await writeWhole(path, text, 0o644);
  } catch (cause) {
    throw new KarotteError("plugin", `Cannot write the lock file "${path}": ${String(cause)}`, {
      cause,
    });
  }
}

function unusable(path: string, found: string, cause: unknown): KarotteError {
  return new KarotteError("plugin", `Cannot read the lock file "${path}": ${found}`, {
    hint: "Restore it, or remove it: the next run writes it anew.",
    cause,
  });
}
