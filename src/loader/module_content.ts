import { relative } from "node:path";
import { digestOf } from "../cache/digest.ts";
import type { FoundModule } from "./found_module.ts";
import { sorted } from "./packages/package_set.ts";

/** All that a module is made of: what a user says yes to. */
export interface ModuleContent {
  /** The same wherever the module's project lies, and whichever version of Karotte looks. */
  readonly digest: string;
  /** Paths of its files, as seen from the folder of whoever names it. */
  readonly files: readonly string[];
  /** How many packages are in it. */
  readonly packages: number;
  /** Of the package that it came from; null for a file. */
  readonly version: string | null;
}

/**
 * Returns what a module is made of: its files by their content, its packages by their version and
 * what the registry said of theirs.
 */
export function contentOf(
  { inputs, set, version }: FoundModule,
  baseDirectory: string,
): ModuleContent {
  const files = Object.entries(inputs)
    .map(([path, digest]) => [relative(baseDirectory, path), digest] as const).sort();
  const packages = Object.entries(set?.packages ?? {})
    .map(([folder, { version, integrity = null }]) => [folder, version, integrity]).sort();
  return {
    digest: digestOf(JSON.stringify([files, sorted(set?.imports ?? {}), packages])),
    files: files.map(([path]) => path),
    packages: packages.length,
    version,
  };
}
