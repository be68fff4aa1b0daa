import { join } from "node:path";
import type { FindModuleOptions, FoundModule, ModuleFinder } from "./found_module.ts";
import { ModuleCache } from "./module_cache.ts";
import { type PackageTarget, targetError } from "./module_target.ts";
import { type InstalledPackages, installedPackages } from "./packages/install_packages.ts";
import { PackageFolders } from "./packages/package_folders.ts";
import { packageMemory } from "./packages/package_memory.ts";
import { npmName, requestKey } from "./packages/package_request.ts";
import { setDigest } from "./packages/package_set.ts";

/** Finds the module in a package of a registry. */
export function packageModule(target: PackageTarget, options: FindModuleOptions): ModuleFinder {
  const { cacheDirectory, lockFile, offline } = options;
  const { written: specifier, package: request, subpath } = target;
  const key = requestKey(request);
  const cache = new ModuleCache(cacheDirectory);
  const memory = packageMemory({ owner: key, cacheDirectory, lockFile });

  async function known(): Promise<FoundModule | undefined> {
    const remembered = memory.read();
    if (remembered === undefined || !(remembered.isFresh || offline)) return undefined;
    const installed = installedPackages(remembered.set, cacheDirectory);
    return installed === undefined ? undefined : await cached(installed);
  }

  async function cached(installed: InstalledPackages): Promise<FoundModule | undefined> {
    const bundle = await cache.find(facts(installed));
    return bundle === undefined
      ? undefined
      : { ...bundle, version: versionIn(installed), set: installed.set };
  }

  async function bundled(): Promise<FoundModule> {
    const { providePackages } = await import("./packages/provide_packages.ts");
    const installed = await providePackages([request], { ...options, memory });
    using _lock = await cache.lock(specifier);
    return await cached(installed) ?? await build(installed);
  }

  async function build(installed: InstalledPackages): Promise<FoundModule> {
    const { buildModule } = await import("./bundler/module_build.ts");
    const { fileResolver } = await import("./bundler/file_resolver.ts");
    const folder = folderIn(installed);
    const resolveFile = await fileResolver();
    const entry = resolveFile(installed.directory, folder + subpath, "import");
    if (entry === undefined) {
      const what = subpath === "" ? "no main module" : `no "${subpath}"`;
      throw targetError(target, `the package has ${what}`);
    }
    const code = await buildModule({
      specifier,
      entry,
      configPath: undefined,
      packages: new PackageFolders(installed),
      bundledPackage: join(installed.directory, "node_modules", folder),
      cacheDirectory,
    });
    const bundle = await cache.add(facts(installed), code);
    return { ...bundle, version: versionIn(installed), set: installed.set };
  }

  function facts({ set, directory }: InstalledPackages): unknown {
    return [directory, setDigest(set), key, subpath];
  }

  function folderIn({ set }: InstalledPackages): string {
    return set.imports[key] ?? npmName(request);
  }

  function versionIn(installed: InstalledPackages): string | null {
    return installed.set.packages[`node_modules/${folderIn(installed)}`]?.version ?? null;
  }

  return { known, bundled: async () => await known() ?? await bundled() };
}
