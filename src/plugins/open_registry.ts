import { dirname, join } from "node:path";
import type { Imports, PluginSource } from "./entry_collection.ts";
import { findManifests } from "./find_manifests.ts";
import { moduleTarget } from "../loader/module_target.ts";
import { ModuleLoader, type ModuleLoaderOptions } from "./module_loader.ts";
import type { PluginFlags } from "./plugin_flags.ts";
import { Registry } from "./registry.ts";
import type { UnloadableRules } from "./unloadable.ts";

export const LOCK_FILE_NAME = "karotte.plugins.lock.json";

export interface OpenRegistryOptions {
  /** See `FindManifestsOptions`. */
  readonly directory: string | undefined;
  readonly flags: PluginFlags;
  readonly cacheDirectory: string;
  /** Told once of each plugin that is skipped, and of whatever else the user should know. */
  readonly warn: (text: string) => void;
  /** Names that our own things have, by group: plugins never replace a command or an agent. */
  readonly builtins?: Readonly<Record<string, readonly string[]>>;
  /** No failure is fatal: for commands that only show them. */
  readonly lenient?: boolean;
  /**
   * `never`: no module is imported, entries have names only, and values can't be had. `needed` if
   * absent.
   */
  readonly imports?: Imports;
  /** See `UnloadableRules`; `warn` if absent. */
  readonly unloadable?: UnloadableRules["unloadable"];
  /** See `UnloadableRules`; false if absent. */
  readonly handsVariablesOver?: boolean;
  readonly signal?: AbortSignal;
  /** In tests instead of the real ones. */
  readonly load?: ModuleLoaderOptions["load"];
  readonly digest?: ModuleLoaderOptions["digest"];
  readonly variable?: (name: string) => string | undefined;
}

/**
 * Finds all plugins that count and imports none of them. Throws a usage error for a manifest that
 * can't be read, with its place, and a plugin error for one that names what can't be a plugin.
 *
 * ```ts
 * const registry = await openRegistry({ directory, flags, cacheDirectory, warn });
 * const hardware = task.required_hardware ?? await registry.get(defaultHardware);
 * ```
 */
export async function openRegistry(options: OpenRegistryOptions): Promise<Registry> {
  const { flags, cacheDirectory, warn, builtins = {}, lenient = false } = options;
  const { load, digest, signal, imports = "needed" } = options;
  const manifests = flags.none ? [] : await readManifests(options);
  for (const text of manifests.flatMap(({ remarks }) => remarks)) warn(text);
  const given = flags.none ? [] : [givenSource(flags.with)];
  const sources = [...given, ...manifests.map(manifestSource)];
  return new Registry({
    sources: withoutRepeats(sources),
    loader: new ModuleLoader({ cacheDirectory, offline: flags.offline, load, digest, signal }),
    manifests: manifests.map(({ path }) => path),
    imports,
    unloadable: options.unloadable ?? "warn",
    handsVariablesOver: options.handsVariablesOver ?? false,
    strict: flags.strict || manifests.some(({ strict }) => strict),
    // What is not imported may well be fine.
    lenient: lenient || imports === "never",
    warn,
    builtins,
  });
}

async function readManifests(options: OpenRegistryOptions) {
  const { directory, flags, warn, variable } = options;
  const paths = findManifests({
    directory,
    named: flags.manifest,
    warn,
    ...(variable === undefined ? {} : { variable }),
  });
  if (paths.length === 0) return [];
  const { readManifest } = await import("./manifest.ts");
  return await Promise.all(paths.map(readManifest));
}

/** Makes a source of `--with`: relative to the current folder, pinned by nothing. */
function givenSource(modules: readonly string[]): PluginSource {
  const baseDirectory = Deno.cwd();
  const place = { manifest: "--with", baseDirectory, lockFile: undefined };
  return {
    entries: [],
    groups: [],
    modules: modules.map((written) => ({
      target: moduleTarget(written, baseDirectory, "--with"),
      ...place,
    })),
  };
}

type Manifest = Awaited<ReturnType<typeof readManifests>>[number];

function manifestSource({ path, entries, modules, groups }: Manifest): PluginSource {
  const baseDirectory = dirname(path);
  const lockFile = join(baseDirectory, LOCK_FILE_NAME);
  const place = { manifest: path, baseDirectory, lockFile };
  return {
    groups,
    entries: entries.map((entry) => ({ ...entry, ...place })),
    modules: modules.map((target) => ({ target, ...place })),
  };
}

/** Leaves out modules that a source before them has too. */
function withoutRepeats(sources: readonly PluginSource[]): PluginSource[] {
  const seen = new Set<string>();
  return sources.map((source) => ({
    ...source,
    modules: source.modules.filter(({ target: { key } }) => {
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    }),
  }));
}
