import { extname } from "node:path";
import type { FindModuleOptions, FoundModule, ModuleFinder } from "./found_module.ts";
import { ModuleCache } from "./module_cache.ts";
import { type FileTarget, targetError } from "./module_target.ts";
import { installedPackages } from "./packages/install_packages.ts";
import { packageMemory } from "./packages/package_memory.ts";
import { type PackageSet, setDigest } from "./packages/package_set.ts";
import { findConfigAbove } from "./project_config.ts";

const EXTENSIONS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];

/**
 * Finds the module in a file. Throws a `KarotteError` if the file is not there, or is no module.
 */
export function localModule(target: FileTarget, options: FindModuleOptions): ModuleFinder {
  const { cacheDirectory, lockFile, offline } = options;
  const specifier = target.written;
  const entry = realFile(target);
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
    return bundle === undefined ? undefined : { ...bundle, version: null, set };
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
    return { ...await cache.add(facts(set), fresh), version: null, set };
  }

  return { known, bundled: async () => await known() ?? await bundled() };
}

/** Returns the real path of a module's file. Throws a `KarotteError` if it can't be one. */
export function realFile(target: FileTarget): string {
  if (!EXTENSIONS.includes(extname(target.path))) {
    const hint = `Files end in ${EXTENSIONS.join(" ")}.`;
    throw targetError(target, "not a JavaScript or TypeScript file", { hint });
  }
  try {
    const real = Deno.realPathSync(target.path);
    if (Deno.statSync(real).isFile) return real;
  } catch (cause) {
    const isGone = cause instanceof Deno.errors.NotFound ||
      cause instanceof Deno.errors.NotADirectory;
    throw targetError(target, isGone ? "no such file" : String(cause), { cause });
  }
  throw targetError(target, "not a file");
}
