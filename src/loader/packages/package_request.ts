import { nodeModulesName, type PackageSpecifier, parsePackage } from "../specifier.ts";

/** A package that somebody's code asks for by name and range. */
export interface PackageRequest {
  readonly registry: "npm" | "jsr";
  /** As its registry knows it. */
  readonly name: string;
  /** Absent: any version. */
  readonly range: string | undefined;
}

/**
 * A semver range or a tag; npm would take paths and URLs too, which are not packages of a registry.
 */
const RANGE = /^[\w.^~<>=|*+ -]+$/;

/**
 * Returns the package and range that a specifier asks for; undefined: a bare specifier, or one with
 * something else than a range after its `@`.
 */
export function packageRequest(specifier: PackageSpecifier): PackageRequest | undefined {
  const { registry, name, range } = specifier;
  if (registry === "none" || (range !== undefined && !RANGE.test(range))) return undefined;
  return { registry, name, range };
}

/** Returns `npm:name@range`, as messages and the lock file write it. */
export function requestKey({ registry, name, range }: PackageRequest): string {
  return `${registry}:${name}${range === undefined ? "" : `@${range}`}`;
}

/** Reads back what `requestKey` wrote. */
export function parseRequest(key: string): PackageRequest | undefined {
  const specifier = parsePackage(key);
  return specifier === undefined ? undefined : packageRequest(specifier);
}

/** Returns the name that npm knows the package by. */
export function npmName({ registry, name }: PackageRequest): string {
  return nodeModulesName({ registry, name, range: undefined, subpath: "" });
}

const MOST_NAMES = 3;

/** Says what is installed, by the keys of requests. */
export function wantedText(keys: readonly string[], user: string | undefined): string {
  const more = keys.length - MOST_NAMES;
  const names = keys.slice(0, MOST_NAMES).map((key) => `"${key}"`).join(", ");
  return `${names}${more > 0 ? ` and ${more} more` : ""}${
    user === undefined ? "" : ` for ${user}`
  }`;
}

/**
 * Chooses the folder in `node_modules` of each request, by its key: the package's name where that
 * is free.
 */
export function folderNames(requests: readonly PackageRequest[]): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  const sorted = requests.toSorted((a, b) => requestKey(a) < requestKey(b) ? -1 : 1);
  for (const request of sorted) {
    const name = npmName(request);
    let folder = name;
    for (let count = 2; taken.has(folder); count++) folder = `${name}.${count}`;
    taken.add(folder);
    names.set(requestKey(request), folder);
  }
  return names;
}
