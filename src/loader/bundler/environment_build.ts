import { dirname, join } from "node:path";
import { listTree, shownPath } from "../../cache/file_tree.ts";
import type { PackageFolders } from "../packages/package_folders.ts";
import { findProjectConfig, readProjectConfig } from "../project_config.ts";
import type { SharedModules } from "../shared_modules.ts";
import { versionRanges } from "../version_ranges.ts";
import { type BuildInputs, bundlerPlugin, ENTRY_SPECIFIER } from "./bundler_plugin.ts";
import { environmentEntrySource, environmentModules } from "./environment_entry.ts";
import { compileEsbuild } from "./esbuild.ts";
import { fileResolver } from "./file_resolver.ts";
import { completeBanner } from "./import_meta.ts";
import { ModuleResolver } from "./module_resolver.ts";
import type { EnvironmentPlaces } from "./places.ts";
import { runBundler } from "./run_bundler.ts";

export interface EnvironmentBuildOptions {
  readonly places: EnvironmentPlaces;
  readonly shared: SharedModules;
  /** Paths of all files in `src/environment`. */
  readonly paths: readonly string[];
  /** The entry to be: has `environment` already, and gets the rest. */
  readonly staged: string;
  readonly packages: PackageFolders;
}

/**
 * Bundles an environment into `bundle/` of the staged entry, and copies the packages that look for
 * files of their own. Returns what was read besides `src/environment`. Where packages are missing
 * nothing is written.
 */
export async function buildEnvironment(options: EnvironmentBuildOptions): Promise<BuildInputs> {
  const { places, shared, paths, staged, packages } = options;
  const config = await readProjectConfig(findProjectConfig(places.directory));
  compileEsbuild();
  const [resolveFile, ranges] = await Promise.all([fileResolver(), versionRanges()]);
  const resolver = new ModuleResolver({
    places,
    shared,
    resolveFile,
    ranges,
    packages,
    imports: config.imports,
  });
  const modules = environmentModules(paths);
  const inputs: BuildInputs = { files: new Map(config.inputs), packages: new Set() };
  const plugin = bundlerPlugin({
    places,
    resolver,
    shared,
    entrySource: environmentEntrySource(modules),
    copyOf: (place) => place.startsWith("/environment/") ? staged + place : undefined,
  }, inputs);
  const outputs = await runBundler({
    ...config.compilerOptions,
    outdir: "/bundle",
    entryPoints: [
      { in: ENTRY_SPECIFIER, out: "environment" },
      ...modules.scoring.map((path) => ({
        in: `/environment/${path}`,
        out: path.replace(/\.ts$/, ""),
      })),
    ],
    plugins: [plugin],
  }, { name: `environment "${shownPath(places.directory)}"`, code: "usage", places, shared });
  if (packages.missing.size > 0) return inputs;
  for (const { path, text } of outputs) {
    await writeOutput(staged, path.slice(1), text, modules.scoring);
  }
  for (const root of inputs.packages) await copyPackage(root, staged + places.placeOf(root));
  return inputs;
}

async function writeOutput(
  staged: string,
  path: string,
  text: string,
  scoring: readonly string[],
): Promise<void> {
  const source = path.replace(/^bundle\//, "").replace(/\.js$/, ".ts");
  const main = scoring.includes(source) ? `/environment/${source}` : "";
  const root = "../".repeat(path.split("/").length - 1);
  const target = join(staged, path);
  await Deno.mkdir(dirname(target), { recursive: true });
  await Deno.writeTextFile(target, completeBanner(text, { root, main }));
}

async function copyPackage(root: string, target: string): Promise<void> {
  // What lies in a package's own node_modules is bundled, or copied for itself.
  for (const { path, source } of listTree(root, root, "node_modules")) {
    await Deno.mkdir(dirname(join(target, path)), { recursive: true });
    await Deno.copyFile(source, join(target, path));
  }
}
