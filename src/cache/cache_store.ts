import { join } from "node:path";
import { removeIfThere } from "../base/temp_dir.ts";
import { ensureOwnDirectory } from "./cache_directory.ts";

const STALE_MS = 24 * 60 * 60 * 1000;

/**
 * Takes a lock that other processes wait for; it is free again when disposed of, or at once when
 * the process dies. The lock's file stays.
 */
export async function takeLock(path: string): Promise<Disposable> {
  const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  try {
    await file.lock(true);
  } catch (error) {
    file.close();
    throw error;
  }
  // Closing gives the lock back.
  return { [Symbol.dispose]: () => file.close() };
}

/** Makes an empty folder of mode 0700 in the cache, to be renamed to its final place. */
export async function stagingDirectory(cacheDirectory: string): Promise<string> {
  const parent = await ensureOwnDirectory(join(cacheDirectory, "tmp"));
  await removeStale(parent);
  const path = join(parent, crypto.randomUUID());
  await Deno.mkdir(path, { mode: 0o700 });
  return path;
}

/** Puts a file in its place at once: readers see all of it or what was there before. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  try {
    await Deno.writeFile(temporary, bytes, { createNew: true, mode });
    await Deno.rename(temporary, path);
  } finally {
    await removeIfThere(temporary);
  }
}

/**
 * Renames a finished folder to its final place. Where one is already it stays if `isGood`, and is
 * replaced otherwise. `staged` is gone afterwards.
 */
export async function publish(
  staged: string,
  place: string,
  isGood: () => boolean,
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await renamed(staged, place)) return;
    if (isGood()) return await removeIfThere(staged);
    const broken = `${staged}.broken`;
    if (await renamed(place, broken)) await removeIfThere(broken);
  }
  throw new Error(`Cannot replace "${place}": other processes keep writing to it`);
}

/** Returns false if there is something at `to`, or nothing (any more) at `from`. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await Deno.rename(from, to);
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code ?? "";
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT"].includes(code)) return false;
    throw error;
  }
}

/** Removes what processes left that were killed while they built. */
async function removeStale(parent: string): Promise<void> {
  for await (const { name } of Deno.readDir(parent)) {
    const path = join(parent, name);
    const info = await Deno.lstat(path).catch(() => undefined);
    const age = Date.now() - (info?.mtime?.getTime() ?? Date.now());
    if (age > STALE_MS) await removeIfThere(path);
  }
}
