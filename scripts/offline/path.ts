/** Stands in for `@std/path` where JSR can't be reached: the same names for what Karotte uses. */
import { fileURLToPath, pathToFileURL } from "node:url";

export {
  basename,
  dirname,
  extname,
  isAbsolute,
  join,
  normalize,
  relative,
  resolve,
} from "node:path";

/** The path that a `file:` URL names; throws a TypeError for any other URL. */
export function fromFileUrl(url: string | URL): string {
  return fileURLToPath(url);
}

/** The `file:` URL of an absolute path; throws a TypeError for a relative one. */
export function toFileUrl(path: string): URL {
  if (!path.startsWith("/")) throw new TypeError(`Path must be absolute: received "${path}"`);
  return pathToFileURL(path);
}
