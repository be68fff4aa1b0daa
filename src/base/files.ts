/** What a look at the file system finds; undefined if there is nothing at its path. */
export async function ifThere<Found>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look;
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

/** The same for a look that does not wait. */
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

/** The mode bits with which everybody may read and only the owner write: `a+rX,go-w` of chmod. */
export function readableMode({ mode, isDirectory }: Pick<Deno.FileInfo, "mode" | "isDirectory">) {
  const bits = (mode ?? 0) & 0o7777;
  const search = isDirectory || (bits & 0o111) !== 0 ? 0o111 : 0;
  return (bits | 0o444 | search) & ~0o022;
}
