/**
 * Tells whether a link at `path` (relative to its data directory) may lead out of it. `..` counts
 * only at the start of a target, where it climbs real folders; after a name, which can be a link,
 * it is refused.
 */
export function leavesDirectory(path: string, link: string): boolean {
  if (link.startsWith("/")) return true;
  const parts = link.split("/").filter((part) => part !== "" && part !== ".");
  const names = parts.findIndex((part) => part !== "..");
  const ups = names < 0 ? parts.length : names;
  return ups > path.split("/").length - 1 || parts.slice(ups).includes("..");
}
