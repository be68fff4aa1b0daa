import { describeOrigin, type Origin } from "../entry_points/entry.ts";
import type { WrittenGroup } from "./groups.ts";
import type { NamedEntry } from "./manifest.ts";
import type { ModuleLoader, ModuleSource } from "./module_loader.ts";
import { exported, PluginModule } from "./plugin_module.ts";
import type { OfferedNames } from "./recorded_names.ts";
import type { RawEntry } from "./registry_entry.ts";

/** What one manifest, or one `--with`, brings; its entries win over its modules. */
export interface PluginSource {
  readonly entries: readonly (NamedEntry & ModuleSource)[];
  readonly modules: readonly ModuleSource[];
  readonly groups: readonly WrittenGroup[];
}

/** Who is told of what is found on the way. */
export interface CollectionListener {
  remark(text: string): void;
  /** A module can't be loaded, and was never loaded before. */
  failModule(source: ModuleSource, error: unknown): void;
}

/** All entries of all sources; those that win first. */
export class EntryCollection {
  readonly #sources: readonly PluginSource[];
  readonly #loader: ModuleLoader;
  readonly #modules = new Map<ModuleSource, PluginModule>();
  /** The same entry is always the same object. */
  readonly #entries = new Map<string, RawEntry>();
  readonly #known = new Set<ModuleSource>();
  /** Groups that were seen and that nobody has asked for yet. */
  #groups: WrittenGroup[];

  constructor(sources: readonly PluginSource[], loader: ModuleLoader) {
    this.#sources = sources;
    this.#loader = loader;
    this.#groups = sources.flatMap(({ groups }) => groups);
  }

  /**
   * The entries of a group, sorted by name, of two with the same name the one that wins. Loads the
   * modules of which it is not known what they offer, and no other.
   */
  async entriesOf(group: string, listener: CollectionListener): Promise<RawEntry[]> {
    const found = new Map<string, RawEntry>();
    const all = await Promise.all(
      this.#sources.map((source) => this.#entriesIn(source, group, listener)),
    );
    for (const entry of all.flat()) {
      const { name } = entry.origin;
      const winner = found.get(name);
      if (winner === undefined) found.set(name, entry);
      else if (winner !== entry) {
        const reason = `is ignored: ${describeOrigin(winner.origin)} comes first`;
        listener.remark(`${describeOrigin(entry.origin)} ${reason}`);
      }
    }
    return [...found.values()].sort((a, b) => a.origin.name < b.origin.name ? -1 : 1);
  }

  /** Files that decide which entries there are; undefined: other things do so too. */
  async nameFiles(): Promise<string[] | undefined> {
    const files: string[] = [];
    for (const module of this.#sources.flatMap(({ modules }) => modules)) {
      const own = await this.#moduleOf(module).nameFiles();
      if (own === undefined) return undefined;
      files.push(...own);
    }
    return files;
  }

  /** Groups that were seen since the last call. */
  takeGroups(): WrittenGroup[] {
    return this.#groups.splice(0);
  }

  async #entriesIn(
    source: PluginSource,
    group: string,
    listener: CollectionListener,
  ): Promise<RawEntry[]> {
    const own = source.entries.filter((entry) => entry.group === group)
      .map((entry) => this.#namedEntry(entry));
    const offered = source.modules.map(async (module) => {
      const names = await this.#namesOf(module, listener);
      if (names === undefined) return [];
      return (names.groups[group] ?? []).map((name) =>
        this.#offeredEntry(module, names, { group, name })
      );
    });
    return [...own, ...(await Promise.all(offered)).flat()];
  }

  async #namesOf(
    source: ModuleSource,
    listener: CollectionListener,
  ): Promise<OfferedNames | undefined> {
    const module = this.#moduleOf(source);
    let names: OfferedNames | undefined;
    try {
      names = await module.names();
    } catch (error) {
      // Then its entries fail one by one, where they are needed.
      names = module.lastNames();
      if (names === undefined) listener.failModule(source, error);
    }
    if (names !== undefined && !this.#known.has(source)) {
      this.#known.add(source);
      const place = `plugin "${names.plugin}" (${source.manifest})`;
      this.#groups.push(...Object.keys(names.groups).map((written) => ({ written, place })));
    }
    return names;
  }

  #namedEntry(entry: NamedEntry & ModuleSource): RawEntry {
    const { group, name, module, attribute, manifest, directory, specifier } = entry;
    const shown = attribute === "default" ? module : `${module}#${attribute}`;
    return this.#entry([group, name, specifier, attribute], () => ({
      origin: { group, name, plugin: shown, module: shown, manifest, directory },
      source: entry,
      version: undefined,
      read: async () => exported((await this.#loader.load(entry)).namespace, attribute),
    }));
  }

  #offeredEntry(
    source: ModuleSource,
    names: OfferedNames,
    { group, name }: Pick<Origin, "group" | "name">,
  ): RawEntry {
    const { module, manifest, directory, specifier } = source;
    return this.#entry([group, name, specifier], () => ({
      origin: { group, name, plugin: names.plugin, module, manifest, directory },
      source,
      version: names.version ?? undefined,
      read: () => this.#moduleOf(source).value(group, name),
    }));
  }

  #entry(key: readonly string[], create: () => RawEntry): RawEntry {
    const text = JSON.stringify(key);
    const entry = this.#entries.get(text) ?? create();
    this.#entries.set(text, entry);
    return entry;
  }

  #moduleOf(source: ModuleSource): PluginModule {
    const module = this.#modules.get(source) ?? new PluginModule(source, this.#loader);
    this.#modules.set(source, module);
    return module;
  }
}
