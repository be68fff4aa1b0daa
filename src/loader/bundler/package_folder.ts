import { join } from "node:path";
import type { PackageRequest } from "../packages/package_request.ts";
import type { VersionRanges } from "../version_ranges.ts";

/** The folder in `node_modules` that holds all of the package that a file belongs to. */
export function packageRoot(path: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/** Whether a file belongs to the package in `root` itself, and not to one inside of it. */
export function isDirectlyIn(root: string, path: string): boolean {
  return packageRoot(path) === root;
}

/** Whether the package that a file belongs to has a version that was asked for. */
export function isInRange(
  path: string,
  { range }: PackageRequest,
  { isRange, satisfies }: VersionRanges,
): boolean {
  const root = packageRoot(path);
  if (range === undefined || root === undefined) return true;
  const { version } = manifestOf(root);
  // Without a version somebody put it there by hand, and tags only the registry knows.
  const isTag = /^[a-z][\w-]*$/i.test(range) && !isRange(range);
  return typeof version !== "string" || isTag || satisfies(version, range);
}

/** Which versions the package in `root` wants of another one; any if it does not say. */
export function dependencyRange(root: string, name: string): string {
  const { dependencies, peerDependencies } = manifestOf(root);
  const ranges: Record<string, unknown> = {
    ...asRecord(peerDependencies),
    ...asRecord(dependencies),
  };
  const range = ranges[name];
  return typeof range === "string" ? range : "*";
}

function manifestOf(root: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(Deno.readTextFileSync(join(root, "package.json"))));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return {};
    throw error;
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
