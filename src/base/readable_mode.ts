/** The mode bits with which everybody may read and only the owner write: `a+rX,go-w` of chmod. */
export function readableMode({ mode, isDirectory }: Pick<Deno.FileInfo, "mode" | "isDirectory">) {
  const bits = (mode ?? 0) & 0o7777;
  const search = isDirectory || (bits & 0o111) !== 0 ? 0o111 : 0;
  return (bits | 0o444 | search) & ~0o022;
}
