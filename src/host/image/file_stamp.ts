/**
 * A text that changes when a file does: its identity, size and times. The time of the last change
 * of state can't be set by a program.
 */
export function fileStamp({ dev, ino, size, mtime, ctime }: Deno.FileInfo): string {
  return [dev, ino, size, mtime?.getTime(), ctime?.getTime()].join(":");
}
