import { join } from "node:path";
import { isWithin } from "./file_tree.ts";

/**
 * Where a source file is said to be. The bundler sees places below a made-up root that has the
 * layout of the cache entry, so that bundle and source maps are the same wherever the environment
 * lies, and are right wherever the entry is put:
 *
 * - `/environment/…`: `src/environment`, of which the entry has a copy,
 * - `/project/…`: the rest of the environment's folder, packages included,
 * - `/outside/…`: packages of a `node_modules` further up.
 */
export class Places {
  /** Real path of the environment's folder. */
  readonly directory: string;
  /** Real path of its `src/environment`. */
  readonly sources: string;

  constructor(directory: string) {
    this.directory = directory;
    this.sources = join(directory, "src", "environment");
  }

  placeOf(path: string): string {
    if (isWithin(this.sources, path)) return `/environment${path.slice(this.sources.length)}`;
    if (isWithin(this.directory, path)) return `/project${path.slice(this.directory.length)}`;
    return `/outside${path}`;
  }

  pathOf(place: string): string {
    if (place.startsWith("/environment/")) return this.sources + place.slice(12);
    if (place.startsWith("/project/")) return this.directory + place.slice(8);
    return place.replace(/^\/outside/, "");
  }

  /** Whether the environment's author wrote the file, and not that of a package. */
  isOwn(path: string): boolean {
    return isWithin(this.directory, path) && !isInPackage(path.slice(this.directory.length));
  }

  /** Whether a module may be read from there at all. */
  isReadable(path: string): boolean {
    return isWithin(this.directory, path) || isInPackage(path);
  }
}

function isInPackage(path: string): boolean {
  return path.includes("/node_modules/");
}
