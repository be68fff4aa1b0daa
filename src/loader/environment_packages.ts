import { join } from "node:path";
import { readTextIfThereSync } from "../base/files.ts";
import { digestOf } from "../cache/digest.ts";
import { isWithin, shownPath } from "../cache/file_tree.ts";
import { buildEnvironment, type EnvironmentBuildOptions } from "./bundler/environment_build.ts";
import { withErrorCode } from "./error_code.ts";
import { readDenoLock } from "./packages/deno_lock.ts";
import { packageMemory } from "./packages/package_memory.ts";
import { findNpmrc } from "./packages/project_npmrc.ts";
import { withPackages } from "./packages/with_packages.ts";

export interface EnvironmentPackagesOptions {
  readonly cacheDirectory: string;
  readonly offline?: boolean;
  readonly trustsNpmrc?: boolean;
  readonly ageDelayExemptions?: readonly string[];
  readonly signal?: AbortSignal;
  readonly variable?: (name: string) => string | undefined;
}

/**
 * Bundles an environment with the packages that its `node_modules` has, and installs the others
 * into the cache: in the versions of its `deno.lock`, else in the newest that are old enough.
 * Returns digests of what was read and may change, by path.
 */
export async function buildWithPackages(
  build: Omit<EnvironmentBuildOptions, "packages">,
  options: EnvironmentPackagesOptions,
): Promise<ReadonlyMap<string, string>> {
  const { directory } = build.places;
  const cacheDirectory = Deno.realPathSync(options.cacheDirectory);
  const { offline = false, trustsNpmrc = false, ageDelayExemptions = [], signal, variable } =
    options;
  const lock = join(directory, "deno.lock");
  const memory = packageMemory({
    // Versions that were chosen beside another lock file or registry are not remembered.
    owner: `${directory}\n${digestOf(readTextIfThereSync(lock) ?? "")}\n${
      registriesKey(directory)
    }`,
    cacheDirectory,
    lockFile: undefined,
  });
  const { built } = await withErrorCode("usage", () =>
    withPackages(
      {
        cacheDirectory,
        directory,
        isTrusted: trustsNpmrc,
        offline,
        ageDelayExemptions,
        signal,
        variable,
        user: `environment "${shownPath(directory)}"`,
        memory,
        seed: (requests) => readDenoLock(lock, requests),
      },
      (packages) => buildEnvironment({ ...build, packages }),
    ));
  // What the cache has of packages never changes.
  return new Map([...built.files].filter(([path]) => !isWithin(cacheDirectory, path)));
}

function registriesKey(directory: string): string {
  const npmrc = findNpmrc(directory, Deno.env.get("HOME"));
  return npmrc === undefined ? "" : digestOf(readTextIfThereSync(npmrc) ?? "");
}
