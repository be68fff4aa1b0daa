import type { VersionRanges } from "../version_ranges.ts";
import { type PackageSet, packageSet, sorted } from "./package_set.ts";
import { SDK_PACKAGES } from "./packument_cache.ts";

type Fields = Readonly<Record<string, unknown>>;

const RANGE_FIELDS = ["dependencies", "optionalDependencies", "peerDependencies"];

/**
 * Makes a set of what npm would write into its lock file. What the running program provides is left
 * out, and ranges that only a registry understands, like tags, become the version that was chosen.
 */
export function lockedPackages(
  imports: PackageSet["imports"],
  packages: Readonly<Record<string, unknown>>,
  { satisfies }: VersionRanges,
): PackageSet {
  const kept: Record<string, Fields> = {};
  for (const [location, fields] of Object.entries(packages)) {
    // The root's location is empty.
    if (location === "" || isSdk(location)) continue;
    kept[location] = fields as Fields;
  }
  const locked = Object.entries(kept).map(([location, fields]) => {
    const ranges = RANGE_FIELDS.filter((field) => fields[field] !== undefined)
      .map((field) => [field, rangesOf(location, fields[field] as Record<string, string>)]);
    return [location, { ...fields, ...Object.fromEntries(ranges) }];
  });
  return packageSet.parse(sorted({ imports, packages: Object.fromEntries(locked) }));

  function rangesOf(location: string, ranges: Record<string, string>): Record<string, string> {
    const entries = Object.entries(ranges).filter(([name]) => !SDK_PACKAGES.includes(name));
    return Object.fromEntries(entries.map(([name, range]) => {
      const target = findDependency(kept, location, name);
      const version = String(target?.version);
      if (target === undefined || satisfies(version, range)) return [name, range];
      return [name, target.name === undefined ? version : `npm:${target.name}@${version}`];
    }));
  }
}

/**
 * Returns what `node_modules` answers to the package at `location`: the nearest one at or above it.
 */
export function findDependency<Package>(
  packages: Readonly<Record<string, Package>>,
  location: string,
  name: string,
): Package | undefined {
  const folders = location.split(/\/?node_modules\//).slice(1);
  for (let depth = folders.length; depth >= 0; depth--) {
    const place = [...folders.slice(0, depth), name].map((part) => `node_modules/${part}`);
    const found = packages[place.join("/")];
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSdk(location: string): boolean {
  return SDK_PACKAGES.some((name) => location.endsWith(`node_modules/${name}`));
}
