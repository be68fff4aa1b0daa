import { z } from "zod";
import { digestOf } from "../../cache/digest.ts";

/** A folder in `node_modules`; it must not lead anywhere else, whoever wrote it. */
const NAME = /^(@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;
const VERSION = /^\d+\.\d+\.\d+[\w.+-]*$/;

/** Goes up with each change of what decides about the folder of a set. */
const SET_VERSION = 2;

const ranges = z.record(z.string(), z.string());

/** One folder below `node_modules`, with the fields that npm's lock file has for it. */
const lockedPackage = z.object({
  /** What the package is called, where the folder has another name. */
  name: z.string().regex(NAME).optional(),
  version: z.string().regex(VERSION),
  /** As the registry said when it was locked; what is fetched later must match it. */
  integrity: z.string().optional(),
  dependencies: ranges.optional(),
  optionalDependencies: ranges.optional(),
  peerDependencies: ranges.optional(),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() }))
    .optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
  /** Only needed by what may be missing. */
  optional: z.boolean().optional(),
  /** It comes inside of the package that it lies in. */
  inBundle: z.boolean().optional(),
});

/** All packages that one plugin or environment needs, each with one version. */
export const packageSet = z.object({
  /** The folder in `node_modules` for each package that the code itself asks for. */
  imports: z.record(z.string(), z.string().regex(NAME)),
  /** By path, like `node_modules/a/node_modules/b`. */
  packages: z.record(z.string().refine(isLocation, "not a path of node_modules"), lockedPackage),
});

export type LockedPackage = z.output<typeof lockedPackage>;
export type PackageSet = z.output<typeof packageSet>;

function isLocation(location: string): boolean {
  const [first, ...names] = location.split(/(?:^|\/)node_modules\//);
  return first === "" && names.length > 0 && names.every((name) => NAME.test(name));
}

/** Whether the set has something for every request. */
export function covers({ imports }: PackageSet, keys: Iterable<string>): boolean {
  return [...keys].every((key) => Object.hasOwn(imports, key));
}

/** Returns true if what the packages hold is known, whatever registry they come from. */
export function hasAllIntegrities({ packages }: PackageSet): boolean {
  return Object.values(packages).every(({ integrity, inBundle }) =>
    inBundle === true || integrity !== undefined
  );
}

/**
 * Names the folder that the set is installed in: the same packages are the same folder. Where an
 * integrity is missing, the content depends on the registries too.
 */
export function setDigest(
  set: PackageSet,
  registries: Readonly<Record<string, string>> = {},
): string {
  const sources = hasAllIntegrities(set) ? null : registries;
  // What is optional depends on the machine.
  const { os, arch } = Deno.build;
  return digestOf(JSON.stringify([SET_VERSION, os, arch, sorted(set.packages), sources]));
}

/** The same value with all keys in order, so that it is always written the same. */
export function sorted<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => a < b ? -1 : 1);
  // The same keys with the same values: the same type.
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)])) as Value;
}
