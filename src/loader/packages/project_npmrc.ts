import { dirname, join } from "node:path";

/**
 * Returns the path of a project's `.npmrc`, the nearest one from its folder up to the root of the
 * repository; undefined: there is none, or it is neither the user's nor root's nor that of the
 * folder's owner.
 */
export function findNpmrc(directory: string, home: string | undefined): string | undefined {
  for (let folder = directory; folder !== home; folder = dirname(folder)) {
    const path = join(folder, ".npmrc");
    const owner = infoOf(path)?.uid;
    if (owner !== undefined) return isOurs(owner, directory) ? path : undefined;
    if (infoOf(join(folder, ".git")) !== undefined || folder === dirname(folder)) break;
  }
  return undefined;
}

function isOurs(owner: number | null, directory: string): boolean {
  return [Deno.uid(), 0, infoOf(directory)?.uid].includes(owner);
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}
