import { dirname, join } from "node:path";
import { ifThereSync, isReachableSync } from "../../base/files.ts";
import { isWithin, shownPath } from "../../cache/file_tree.ts";
import { packageRoot } from "./package_folder.ts";

/** Where source files are said to be: the bundler and the bundle see places instead of paths. */
export interface Places {
  placeOf(path: string): string;
  pathOf(place: string): string;
  /** Whether the author of what is bundled wrote the file, and not that of a package. */
  isOwn(path: string): boolean;
  /** Why no module may be read from there; undefined: one may. */
  whyUnreadable(path: string, found: FoundBy): Unreadable | undefined;
}

/** How an import names a module: by its package, or by a path from the importing file. */
export type FoundBy = { readonly package: string } | { readonly importer: string };

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
  readonly #modules: readonly string[];

  constructor(directory: string, cacheDirectory: string) {
    this.directory = directory;
    this.#packages = join(cacheDirectory, "packages");
    this.sources = join(directory, "src", "environment");
    this.#modules = moduleFolders(directory);
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

  /**
   * An environment may be a stranger's: its modules must not carry the user's files away. By a path
   * it gets at its own files, and a package at those of the package; packages are found only where
   * the environment's author could have installed them. All paths are real ones.
   */
  whyUnreadable(path: string, found: FoundBy): Unreadable | undefined {
    if (isWithin(this.directory, path)) return undefined;
    const folders = "package" in found
      ? [this.#packages, ...this.#modules]
      : [packageRoot(found.importer) ?? this.directory];
    if (folders.some((folder) => isWithin(folder, path))) return undefined;
    return {
      found: `"${shownPath(path)}" lies outside the environment`,
      hint: `Only files in "${shownPath(this.directory)}" and installed packages are bundled.`,
    };
  }
}

/**
 * Lists the real paths of each `node_modules` that may have an environment's packages: in its
 * folder and those above it, up to the root of the repository. Without a repository it is only its
 * own.
 */
function moduleFolders(directory: string): string[] {
  const above = [directory];
  for (let folder = directory; !isReachableSync(join(folder, ".git"));) {
    if (folder === dirname(folder)) return existing([directory]);
    folder = dirname(folder);
    above.push(folder);
  }
  return existing(above);
}

function existing(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const path = join(folder, "node_modules");
    const real = ifThereSync(() => Deno.realPathSync(path));
    // A link could make any folder one of packages.
    return real === path ? [real] : [];
  });
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
