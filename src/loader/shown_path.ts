import { relative } from "node:path";
import { isWithin } from "./file_tree.ts";

/** A path as messages show it: relative to the current folder where it lies below, else as it is. */
export function shownPath(path: string): string {
  const current = Deno.cwd();
  return isWithin(current, path) ? relative(current, path) || "." : path;
}
