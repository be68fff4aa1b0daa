import { join } from "node:path";
import { isWithin, shownPath } from "../../cache/file_tree.ts";

/** Where source files are said to be: the bundler and the bundle see places instead of paths. */
export interface Places {
  placeOf(path: string): string;
  pathOf(place: string): string;
  /** Whether the author of what is bundled wrote the file, and not that of a package. */
  isOwn(path: string): boolean;
  /** Why no module may be read from there; undefined: one may. */
  whyUnreadable(path: string): Unreadable | undefined;
}

export interface Unreadable {
  readonly found: string;
  readonly hint: string;
}

/**
 * An environment's places are below a made-up root that has the layout of the cache entry, so that
 * bundle and source maps are the same wherever the environment lies, and are right wherever the
 * entry is put:
 *
 * - `/environment/…`: `src/environment`, of which the entry has a copy,
 * - `/project/…`: the rest of the environment's folder, packages included,
 * - `/packages/…`: packages that were installed into the cache,
 * - `/outside/…`: packages of a `node_modules` further up.
 */
export class EnvironmentPlaces implements Places {
  /** Real path of the environment's folder. */
  readonly directory: string;
  /** Real path of its `src/environment`. */
  readonly sources: string;
  readonly #packages: string;

  constructor(directory: string, cacheDirectory: string) {
    this.directory = directory;
    this.#packages = join(cacheDirectory, "packages");
    this.sources = join(directory, "src", "environment");
  }

  placeOf(path: string): string {
    if (isWithin(this.sources, path)) return `/environment${path.slice(this.sources.length)}`;
    if (isWithin(this.#packages, path)) return `/packages${path.slice(this.#packages.length)}`;
    if (isWithin(this.directory, path)) return `/project${path.slice(this.directory.length)}`;
    return `/outside${path}`;
  }

  pathOf(place: string): string {
    if (place.startsWith("/environment/")) return this.sources + place.slice(12);
    if (place.startsWith("/packages/")) return this.#packages + place.slice(9);
    if (place.startsWith("/project/")) return this.directory + place.slice(8);
    return place.replace(/^\/outside/, "");
  }

  isOwn(path: string): boolean {
    return isWithin(this.directory, path) && !isInPackage(path.slice(this.directory.length));
  }

  /** An environment may be a stranger's: its modules must not carry the user's files away. */
  whyUnreadable(path: string): Unreadable | undefined {
    if (isWithin(this.directory, path) || isInPackage(path)) return undefined;
    return {
      found: `"${shownPath(path)}" lies outside the environment`,
      hint: `Only files in "${shownPath(this.directory)}" and installed packages are bundled.`,
    };
  }
}

/** A plugin stays where it is on this machine: its places are real paths. */
export class RealPlaces implements Places {
  placeOf(path: string): string {
    return path;
  }

  pathOf(place: string): string {
    return place;
  }

  isOwn(path: string): boolean {
    return !isInPackage(path);
  }

  /** Plugins are trusted. */
  whyUnreadable(): undefined {}
}

function isInPackage(path: string): boolean {
  return path.includes("/node_modules/");
}
