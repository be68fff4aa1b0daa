import type { FindModuleOptions, FoundModule, ModuleFinder } from "./found_module.ts";
import { ModuleCache } from "./module_cache.ts";
import { installedPackages } from "./packages/install_packages.ts";
import { packageMemory } from "./packages/package_memory.ts";
import { type PackageSet, setDigest } from "./packages/package_set.ts";
import { findConfigAbove } from "./project_config.ts";

/** Finds the module in a file; `entry` is its real path. */
export function localModule(entry: string, options: FindModuleOptions): ModuleFinder {
  const { specifier, cacheDirectory, lockFile, offline } = options;
  const configPath = findConfigAbove(entry);
  const cache = new ModuleCache(cacheDirectory);
  const memory = packageMemory({ owner: entry, cacheDirectory, lockFile });
  const facts = (set: PackageSet | undefined) => [
    entry,
    configPath ?? null,
    set === undefined ? null : [set.imports, setDigest(set)],
  ];

  async function known(): Promise<FoundModule | undefined> {
    const remembered = memory.read();
    const set = remembered?.set;
    if (remembered !== undefined && !remembered.isFresh && !offline) return undefined;
    // Its packages' own files may be needed beside the bundle.
    if (set !== undefined && installedPackages(set, cacheDirectory) === undefined) return undefined;
    const bundle = await cache.find(facts(set));
    return bundle === undefined ? undefined : { ...bundle, version: null };
  }

  async function bundled(): Promise<FoundModule> {
    using _lock = await cache.lock(entry);
    // Another process may have built it in the meantime.
    const built = await known();
    if (built !== undefined) return built;
    const { buildModule } = await import("./bundler/module_build.ts");
    const { withPackages } = await import("./packages/with_packages.ts");
    const { built: fresh, set } = await withPackages(
      { ...options, user: `"${specifier}"`, memory },
      (packages) => buildModule({ specifier, entry, configPath, packages, cacheDirectory }),
    );
    return { ...await cache.add(facts(set), fresh), version: null };
  }

  return { known, bundled: async () => await known() ?? await bundled() };
}
