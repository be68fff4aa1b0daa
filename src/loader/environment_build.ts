import { dirname, join } from "node:path";
import type { BuildOptions, BuildResult, Message } from "esbuild-wasm";
import { buildError } from "./build_errors.ts";
import { environmentEntrySource, environmentModules } from "./environment_entry.ts";
import { ENTRY_SPECIFIER, environmentPlugin, type OutsideInputs } from "./environment_plugin.ts";
import { withEsbuild } from "./esbuild.ts";
import { fileResolver } from "./file_resolver.ts";
import { listTree } from "./file_tree.ts";
import { BANNER, completeBanner, META_NAME } from "./import_meta.ts";
import { ModuleResolver } from "./module_resolver.ts";
import type { Places } from "./places.ts";
import { findProjectConfig, readProjectConfig } from "./project_config.ts";
import type { SharedModules } from "./shared_modules.ts";

export interface EnvironmentBuildOptions {
  readonly places: Places;
  readonly shared: SharedModules;
  /** Paths of all files in `src/environment`. */
  readonly paths: readonly string[];
  /** The entry to be: has `environment` already, and gets the rest. */
  readonly staged: string;
}

/**
 * Bundles an environment into `bundle/` of the staged entry, and copies the packages that look for
 * files of their own. Returns what was read besides `src/environment`.
 */
export async function buildEnvironment(options: EnvironmentBuildOptions): Promise<OutsideInputs> {
  const { places, shared, paths, staged } = options;
  const config = await readProjectConfig(findProjectConfig(places.directory));
  const resolveFile = await fileResolver();
  const resolver = new ModuleResolver({ places, shared, resolveFile, imports: config.imports });
  const modules = environmentModules(paths);
  const inputs: OutsideInputs = { files: new Map(config.inputs), packages: new Set() };
  const plugin = environmentPlugin({
    places,
    resolver,
    shared,
    entrySource: environmentEntrySource(modules),
    copy: staged,
  }, inputs);
  const result = await bundle({
    ...BUILD_OPTIONS,
    ...config.compilerOptions,
    entryPoints: [
      { in: ENTRY_SPECIFIER, out: "environment" },
      ...modules.scoring.map((path) => ({
        in: `/environment/${path}`,
        out: path.replace(/\.ts$/, ""),
      })),
    ],
    plugins: [plugin],
  }, options);
  for (const { path, text } of result.outputFiles ?? []) {
    await writeOutput(staged, path.slice(1), text, modules.scoring);
  }
  for (const root of inputs.packages) await copyPackage(root, staged + places.placeOf(root));
  return inputs;
}

const BUILD_OPTIONS = {
  bundle: true,
  write: false,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  supported: { decorators: false },
  absWorkingDir: "/",
  outdir: "/bundle",
  // Relative to the bundle, so that traces name the files beside it wherever it is put.
  sourcemap: "inline",
  sourcesContent: false,
  keepNames: true,
  charset: "utf8",
  define: { "import.meta": META_NAME },
  banner: { js: BANNER },
  logLevel: "silent",
  logLimit: 0,
  logOverride: { "unsupported-dynamic-import": "warning" },
} as const satisfies BuildOptions;

async function bundle(
  options: BuildOptions,
  context: { places: Places; shared: SharedModules },
): Promise<BuildResult> {
  const { places } = context;
  let result: BuildResult;
  try {
    result = await withEsbuild(({ build }) => build(options));
  } catch (error) {
    const errors = (error as { errors?: Message[] }).errors;
    throw errors === undefined ? error : buildError(errors, context);
  }
  const unbundled = result.warnings.filter(({ id, location }) =>
    id === "unsupported-dynamic-import" && location !== null &&
    places.isOwn(places.pathOf(`/${location.file}`))
  );
  if (unbundled.length > 0) throw buildError(unbundled, context);
  return result;
}

async function writeOutput(
  staged: string,
  path: string,
  text: string,
  scoring: readonly string[],
): Promise<void> {
  const source = path.replace(/^bundle\//, "").replace(/\.js$/, ".ts");
  const main = scoring.includes(source) ? `/environment/${source}` : "";
  const target = join(staged, path);
  await Deno.mkdir(dirname(target), { recursive: true });
  await Deno.writeTextFile(target, completeBanner(text, path, main));
}

async function copyPackage(root: string, target: string): Promise<void> {
  // What lies in a package's own node_modules is bundled, or copied for itself.
  for (const { path, source } of listTree(root, root, "node_modules")) {
    await Deno.mkdir(dirname(join(target, path)), { recursive: true });
    await Deno.copyFile(source, join(target, path));
  }
}
