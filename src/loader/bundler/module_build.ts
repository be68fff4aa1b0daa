import { type BuildInputs, bundlerPlugin, ENTRY_SPECIFIER } from "./bundler_plugin.ts";
import { isWithin } from "../../cache/file_tree.ts";
import { compileEsbuild } from "./esbuild.ts";
import { fileResolver } from "./file_resolver.ts";
import { completeBanner } from "./import_meta.ts";
import type { NewBundle } from "../module_cache.ts";
import { ModuleResolver } from "./module_resolver.ts";
import { isEsModule } from "./module_source.ts";
import { COMMON_JS_EXPORT } from "./namespace.ts";
import type { PackageFolders } from "../packages/package_folders.ts";
import { RealPlaces } from "./places.ts";
import { readProjectConfig } from "../project_config.ts";
import { runBundler } from "./run_bundler.ts";
import { sharedModules } from "../shared_modules.ts";
import { versionRanges } from "../version_ranges.ts";

export interface BuildModuleOptions {
  /** What messages call the module. */
  readonly specifier: string;
  /** Real path of the file to bundle. */
  readonly entry: string;
  /** The `deno.json` that applies to it. */
  readonly configPath: string | undefined;
  readonly packages: PackageFolders;
  /** The package's folder, if it is a package. */
  readonly bundledPackage?: string;
  readonly cacheDirectory: string;
}

/** Bundles a plugin and all it imports into one ES module, whose `import.meta` is the source's. */
export async function buildModule(options: BuildModuleOptions): Promise<NewBundle> {
  const { specifier, entry, configPath, cacheDirectory } = options;
  const places = new RealPlaces();
  const shared = await sharedModules();
  const { imports, compilerOptions, inputs: read } = await readProjectConfig(configPath);
  compileEsbuild();
  const [resolveFile, ranges] = await Promise.all([fileResolver(), versionRanges()]);
  const resolver = new ModuleResolver({ ...options, places, shared, resolveFile, ranges, imports });
  const inputs: BuildInputs = { files: new Map(read), packages: new Set() };
  const isEs = isEsModule(entry, await Deno.readTextFile(entry));
  const entrySource = `export const ${COMMON_JS_EXPORT} = require(${JSON.stringify(entry)});`;
  const [output] = await runBundler({
    ...compilerOptions,
    outdir: "/",
    sourceRoot: "file:///",
    entryPoints: [{ in: isEs ? entry : ENTRY_SPECIFIER, out: "module" }],
    plugins: [bundlerPlugin({ places, resolver, shared, entrySource }, inputs)],
  }, { name: `"${specifier}"`, code: "plugin", places, shared });
  // What the cache has of packages never changes.
  const changing = [...inputs.files].filter(([path]) => !isWithin(cacheDirectory, path));
  return {
    code: completeBanner(output?.text ?? "", { root: "/", main: "" }),
    inputs: new Map(changing),
  };
}
