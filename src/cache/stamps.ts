/** The state of files by path, told from what a look at them costs: nothing is read. */
export type Stamps = Readonly<Record<string, string>>;

export function stampsOf(paths: readonly string[]): Stamps {
  return Object.fromEntries(paths.map((path) => [path, stampOf(path)]));
}

/** Returns true if those files are what they were, and false for what is no stamps at all. */
export function areUnchanged(stamps: unknown): boolean {
  if (typeof stamps !== "object" || stamps === null) return false;
  return Object.entries(stamps).every(([path, stamp]) => stampOf(path) === stamp);
}

/** Changes with the file's content, short of a deliberate deception; empty: it can't be seen. */
function stampOf(path: string): string {
  try {
    const { mtime, ctime, size, ino } = Deno.statSync(path);
    return [mtime?.getTime(), ctime?.getTime(), size, ino].join(" ");
  } catch {
    // Whatever keeps us from it, it is not what it was.
    return "";
  }
}

/**
 * Returns a text that changes when a file does: its identity, size and times. The time of the last
 * change of state can't be set by a program.
 */
export function fileStamp({ dev, ino, size, mtime, ctime }: Deno.FileInfo): string {
  return [dev, ino, size, mtime?.getTime(), ctime?.getTime()].join(":");
}
