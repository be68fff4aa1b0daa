import { join } from "node:path";
import { isDirectorySync } from "../../base/files.ts";
import { logLine } from "../../base/log.ts";
import { removeIfThere } from "../../base/temp_dir.ts";
import { ensureOwnDirectory } from "../../cache/cache_directory.ts";
import { publish, stagingDirectory, takeLock } from "../../cache/cache_store.ts";
import { createArborist } from "./arborist.ts";
import { writeProject } from "./npm_project.ts";
import { hasAllIntegrities, type PackageSet, setDigest } from "./package_set.ts";
import { type RegistrySessionOptions, withRegistry } from "./registry_session.ts";
import { registrySettings } from "./registry_settings.ts";

/** A folder of the cache whose `node_modules` has the packages of a set. Not to be written. */
export interface InstalledPackages {
  readonly directory: string;
  readonly set: PackageSet;
}

/**
 * Returns the set, if it is known to be installed already. One that lacks an integrity is not known
 * before it is clear which registries it comes from.
 */
export function installedPackages(
  set: PackageSet,
  cacheDirectory: string,
): InstalledPackages | undefined {
  if (!hasAllIntegrities(set)) return undefined;
  const directory = placeOf(set, cacheDirectory);
  return isDirectorySync(directory) ? { directory, set } : undefined;
}

/**
 * Puts exactly the packages of a set into the cache, unless they are there. What the registry hands
 * out must have the integrity that the set names. `wanted` is what messages call it.
 */
export async function installPackages(
  wanted: string,
  set: PackageSet,
  options: RegistrySessionOptions,
): Promise<InstalledPackages> {
  const { cacheDirectory } = options;
  const known = installedPackages(set, cacheDirectory);
  if (known !== undefined) return known;
  const registries = hasAllIntegrities(set) ? {} : (await registrySettings(options)).registries;
  const directory = placeOf(set, cacheDirectory, registries);
  await ensureOwnDirectory(cacheDirectory);
  await ensureOwnDirectory(join(cacheDirectory, "packages"));
  using _lock = await takeLock(`${directory}.lock`);
  // Another process may have installed it in the meantime.
  if (isDirectorySync(directory)) return { directory, set };
  const staged = await stagingDirectory(cacheDirectory);
  try {
    await writeProject(staged, exactDependencies(set), set);
    const count = Object.keys(set.packages).length;
    if (!options.offline) {
      logLine(`Installing ${wanted} (${count} ${count === 1 ? "package" : "packages"})`);
    }
    await withRegistry(wanted, { ...options, set }, async (session) => {
      const arborist = await createArborist({ ...session.options, path: staged });
      await arborist.reify({ save: false });
    });
    await publish(staged, directory, () => isDirectorySync(directory));
  } finally {
    await removeIfThere(staged);
  }
  return { directory, set };
}

function exactDependencies({ imports, packages }: PackageSet): Record<string, string> {
  const names = new Set(Object.values(imports));
  return Object.fromEntries([...names].flatMap((folder) => {
    const found = packages[`node_modules/${folder}`];
    if (found === undefined) return [];
    const { name, version } = found;
    return [[folder, name === undefined ? version : `npm:${name}@${version}`]];
  }));
}

function placeOf(
  set: PackageSet,
  cacheDirectory: string,
  registries?: Readonly<Record<string, string>>,
): string {
  return join(cacheDirectory, "packages", setDigest(set, registries));
}
