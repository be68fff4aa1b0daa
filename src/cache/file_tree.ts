import { relative, sep } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { type DigestedFile, treeText } from "../base/tree_text.ts";
import { digestOf, fileDigest } from "./digest.ts";

/** A regular file in a folder. */
export interface TreeFile extends DigestedFile {
  /** Where its bytes are; another place than `path` says if a link led there. */
  readonly source: string;
}

/**
 * Lists all files below `folder`, sorted by path. Links are followed as long as they stay in
 * `boundary` (a real path); one that leaves it, one that does not end, and anything that is neither
 * file nor folder is a `KarotteError` that names it. What has the name `without` is left out.
 */
export function listTree(folder: string, boundary: string, without?: string): TreeFile[] {
  const files: TreeFile[] = [];
  visit(folder, "", [Deno.realPathSync(folder)]);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));

  function visit(current: string, prefix: string, parents: readonly string[]): void {
    for (const { name } of Deno.readDirSync(current)) {
      if (name === without) continue;
      const place = `${current}/${name}`;
      const path = prefix + name;
      const source = followed(place, boundary);
      const info = Deno.lstatSync(source);
      if (info.isDirectory) {
        if (parents.includes(source)) throw refused(place, "a link to a folder that it lies in");
        visit(source, `${path}/`, [...parents, source]);
      } else if (info.isFile) {
        const executable = ((info.mode ?? 0) & 0o100) !== 0;
        files.push({ path, source, executable, digest: fileDigest(source) });
      } else {
        throw refused(place, "neither a file nor a folder");
      }
    }
  }
}

/** Returns true if `path` is `folder` or lies in it; both absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

function followed(place: string, boundary: string): string {
  if (!Deno.lstatSync(place).isSymlink) return place;
  let target: string;
  try {
    target = Deno.realPathSync(place);
  } catch (cause) {
    throw new KarotteError("usage", `Cannot read "${place}": a link that leads nowhere`, { cause });
  }
  if (!isWithin(boundary, target)) {
    throw refused(place, `a link that leaves "${boundary}"`);
  }
  return target;
}

function refused(place: string, found: string): KarotteError {
  return new KarotteError("usage", `Cannot copy "${place}": ${found}`, {
    hint: "Put regular files there.",
  });
}

/**
 * Returns one SHA-256 in hex for what the files of a folder are, wherever it lies, in whatever
 * order.
 */
export function treeDigest(files: readonly DigestedFile[]): string {
  return digestOf(treeText(files));
}

/**
 * A path as messages show it: relative to the current folder where it lies below, else as it is.
 */
export function shownPath(path: string): string {
  const current = Deno.cwd();
  return isWithin(current, path) ? relative(current, path) || "." : path;
}
