import { dirname, join } from "node:path";
import type { Imports, PluginSource } from "./entry_collection.ts";
import { findManifests, type FoundManifest } from "./find_manifests.ts";
import { type ModuleTarget, moduleTarget } from "../loader/module_target.ts";
import type { Manifest } from "./manifest.ts";
import { ModuleLoader, type ModuleLoaderOptions, type ModuleSource } from "./module_loader.ts";
import type { PluginFlags } from "./plugin_flags.ts";
import { Registry } from "./registry.ts";
import type { UnloadableRules } from "./unloadable.ts";

export const LOCK_FILE_NAME = "karotte.plugins.lock.json";

/** What may be loaded of a manifest that stands in a project. */
export interface ProjectApproval {
  /**
   * Digests of the content that the user said yes to, by the keys of modules; undefined: the folder
   * is his own, and whatever is there is loaded.
   */
  readonly modules: ReadonlyMap<string, string> | undefined;
  /** The `.npmrc` of the manifest's folder is as good as the user's own. */
  readonly npmrc: boolean;
}

/** What the user said about the projects that a command looks at. */
export interface Approvals {
  /** Undefined: nothing may be loaded of that manifest. */
  of(manifest: Pick<FoundManifest, "path">): ProjectApproval | undefined;
  /** Whether the `.npmrc` of the current folder is as good as the user's own. */
  readonly npmrc: boolean;
}

/** Nobody said anything. */
export const NO_APPROVALS: Approvals = { of: () => undefined, npmrc: false };

/** Manifests are read, and nothing that they name is ever loaded. */
export const NAMES_ONLY: Approvals = {
  of: () => ({ modules: new Map(), npmrc: false }),
  npmrc: false,
};

export interface OpenRegistryOptions {
  /** See `FindManifestsOptions`. */
  readonly directory: string | undefined;
  readonly flags: PluginFlags;
  /** What the user said about plugins of projects: without a yes none of them is there. */
  readonly approvals: Approvals;
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
 * const registry = await openRegistry({ directory, flags, approvals, cacheDirectory, warn });
 * const hardware = task.required_hardware ?? await registry.get(defaultHardware);
 * ```
 */
export async function openRegistry(options: OpenRegistryOptions): Promise<Registry> {
  const { flags, cacheDirectory, warn, approvals, builtins = {}, lenient = false } = options;
  const manifests = flags.none ? [] : await readManifests(options);
  for (const text of manifests.flatMap(({ remarks }) => remarks)) warn(text);
  const given = flags.none ? [] : [givenSource(flags.with, approvals.npmrc)];
  const sources = [...given, ...manifests.map(({ source }) => source)];
  const { load, digest, signal, imports = "needed" } = options;
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
  const { directory, flags, warn, variable, approvals } = options;
  const found = findManifests({
    directory,
    named: flags.manifest,
    warn,
    ...(variable === undefined ? {} : { variable }),
  });
  const usable = found.flatMap(({ path, project }) => {
    if (project === undefined) return { path, approval: OF_THE_USER };
    const approval = approvals.of({ path });
    return approval === undefined ? [] : { path, approval };
  });
  if (usable.length === 0) return [];
  const { readManifest } = await import("./manifest.ts");
  return await Promise.all(usable.map(async ({ path, approval }) => {
    const manifest = await readManifest(path);
    return { ...manifest, source: manifestSource(manifest, approval) };
  }));
}

/** What the user names himself, and his own. */
const OF_THE_USER: ProjectApproval = { modules: undefined, npmrc: true };

/** Makes a source of `--with`: relative to the current folder, pinned by nothing. */
function givenSource(modules: readonly string[], trustsNpmrc: boolean): PluginSource {
  const baseDirectory = Deno.cwd();
  const place = { manifest: "--with", baseDirectory, lockFile: undefined, trustsNpmrc };
  return {
    entries: [],
    groups: [],
    modules: modules.map((written) => ({
      target: moduleTarget(written, baseDirectory, "--with"),
      approved: undefined,
      ...place,
    })),
  };
}

function manifestSource(
  { path, entries, modules, groups }: Manifest,
  { modules: approved, npmrc: trustsNpmrc }: ProjectApproval,
): PluginSource {
  const sourceOf = (target: ModuleTarget): ModuleSource => ({
    ...placeOf(path),
    target,
    trustsNpmrc,
    // No content has an empty digest.
    approved: approved === undefined ? undefined : approved.get(target.key) ?? "",
  });
  return {
    groups,
    entries: entries.map((entry) => ({ ...entry, ...sourceOf(entry.target) })),
    modules: modules.map(sourceOf),
  };
}

/** Returns what all modules of a manifest have in common. */
export function placeOf(manifest: string) {
  const baseDirectory = dirname(manifest);
  return { manifest, baseDirectory, lockFile: join(baseDirectory, LOCK_FILE_NAME) };
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
