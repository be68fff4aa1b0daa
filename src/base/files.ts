/**
 * Returns what a look at the file system finds; undefined if there is nothing at its path. Throws
 * every other error, as do the functions below that are made of it: a folder that may not be
 * entered is not an empty one.
 */
export async function ifThere<Found>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look;
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

/** Returns the same as `ifThere`, for a look that does not wait. */
export function ifThereSync<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Deno.errors.NotFound) return undefined;
  throw error;
}

/** Returns true if there is anything at the path, be it a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return await ifThere(Deno.lstat(path)) !== undefined;
}

/** Returns true if there is a regular file at the path, or at the end of its links. */
export function isFileSync(path: string): boolean {
  return ifThereSync(() => Deno.statSync(path))?.isFile ?? false;
}

/** Returns true if there is a folder at the path, or at the end of its links. */
export function isDirectorySync(path: string): boolean {
  return ifThereSync(() => Deno.statSync(path))?.isDirectory ?? false;
}

/** Returns a file's text; undefined if there is nothing at the path. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  return await ifThere(Deno.readTextFile(path));
}

/** Returns the same as `readTextIfThere`, without waiting. */
export function readTextIfThereSync(path: string): string | undefined {
  return ifThereSync(() => Deno.readTextFileSync(path));
}

/** Returns true if the path leads to anything; false for whatever keeps us from looking. */
export function isReachableSync(path: string): boolean {
  return reachedSync(path) !== undefined;
}

/** Returns true if the path leads to a regular file; false for whatever keeps us from looking. */
export async function isReachableFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}

/** Returns the same as `isReachableFile`, without waiting. */
export function isReachableFileSync(path: string): boolean {
  return reachedSync(path)?.isFile ?? false;
}

/** Returns true if the path leads to a folder; false for whatever keeps us from looking. */
export function isReachableDirectorySync(path: string): boolean {
  return reachedSync(path)?.isDirectory ?? false;
}

function reachedSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

/** Throws if a name, from a side that is not trusted, is none of an entry of a folder. */
export function checkName(name: string): void {
  if (name === "." || name === ".." || /[/\0]/.test(name)) {
    throw new Error(`unsafe name ${JSON.stringify(name)}`);
  }
}

/** Writes all of the bytes: one `write` may take only some. */
export async function writeAll(
  target: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await target.write(rest));
}

/** Returns the mode bits by which all may read and only the owner write: `a+rX,go-w` of chmod. */
export function readableMode({ mode, isDirectory }: Pick<Deno.FileInfo, "mode" | "isDirectory">) {
  const bits = (mode ?? 0) & 0o7777;
  const search = isDirectory || (bits & 0o111) !== 0 ? 0o111 : 0;
  return (bits | 0o444 | search) & ~0o022;
}
