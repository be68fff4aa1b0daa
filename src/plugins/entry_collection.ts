import { KarotteError, messageOf } from "../base/errors.ts";
import { describeOrigin, type Origin } from "../entry_points/entry.ts";
import type { WrittenGroup } from "./groups.ts";
import type { NamedEntry } from "./manifest.ts";
import { directoryOf, type ModuleLoader, type ModuleSource } from "./module_loader.ts";
import type { ModuleText } from "./module_text.ts";
import { type KnownOffer, type Offer, Offers, pinnedVersion } from "./offers.ts";
import { exported, PluginModule } from "./plugin_module.ts";
import type { RawEntry } from "./registry_entry.ts";

/** What one manifest, or one `--with`, brings; its entries win over its modules. */
export interface PluginSource {
  readonly entries: readonly (NamedEntry & ModuleSource)[];
  readonly modules: readonly ModuleSource[];
  readonly groups: readonly WrittenGroup[];
}

/**
 * `never`: what modules offer is told from what is known of them, and none is loaded for it.
 * `needed`: those are loaded of which it is not known as of now.
 */
export type Imports = "needed" | "never";

/** Who is told of what is found on the way. */
export interface CollectionListener {
  remark(text: string): void;
  /** Hears of a module that can't be loaded. Rejects if nothing is to be done without it. */
  failModule(failed: FailedModule): Promise<void>;
}

/** A module that can't be loaded, and how to tell all the same what it offers. */
export interface FailedModule {
  readonly source: ModuleSource;
  readonly error: unknown;
  /** What it offered before; undefined: nothing was recorded. */
  readonly past: Offer | undefined;
  /** Reads what its text says. */
  text(): Promise<ModuleText>;
}

/** All entries of all sources; those that win first. */
export class EntryCollection {
  readonly #sources: readonly PluginSource[];
  readonly #loader: ModuleLoader;
  readonly #offers: Offers;
  readonly #modules = new Map<ModuleSource, PluginModule>();
  /** The same entry is always the same object. */
  readonly #entries = new Map<string, RawEntry>();
  readonly #imports: Imports;
  readonly #known = new Map<ModuleSource, KnownOffer>();
  /** Groups that were seen and that nobody has asked for yet. */
  #groups: WrittenGroup[];

  constructor(sources: readonly PluginSource[], loader: ModuleLoader, imports: Imports) {
    this.#sources = sources;
    this.#loader = loader;
    this.#imports = imports;
    this.#offers = new Offers(loader.cacheDirectory);
    this.#groups = sources.flatMap(({ groups }) => groups);
  }

  /**
   * Returns the entries of a group, sorted by name, of two with the same name the one that wins.
   * Loads the modules of which it is not known what they offer, unless none is to be imported, and
   * no other.
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

  /**
   * Returns the files that decide which entries there are; undefined: other things do so too, or
   * the entries of some module were not asked for yet.
   */
  offerFiles(): string[] | undefined {
    const files: string[] = [];
    for (const module of this.#sources.flatMap(({ modules }) => modules)) {
      const own = this.#known.get(module)?.files;
      if (own === undefined) return undefined;
      files.push(...own);
    }
    return files;
  }

  /** Returns the modules of which it is not known, as of now, what they offer; loads none. */
  async unknownModules(): Promise<ModuleSource[]> {
    const modules = this.#sources.flatMap(({ modules }) => modules);
    const known = await Promise.allSettled(
      modules.map((source) => this.#moduleOf(source).current()),
    );
    // A lock file that can't be read tells nothing.
    return modules.filter((_, index) => {
      const found = known[index];
      return found?.status !== "fulfilled" || found.value === undefined;
    });
  }

  /**
   * Writes what all modules offer into the lock files of their manifests. Returns what to tell
   * about those that can't be written.
   */
  async lockOffers(listener: CollectionListener): Promise<string[]> {
    const remarks = new Set<string>();
    for (const source of this.#sources.flatMap(({ modules }) => modules)) {
      if (source.lockFile === undefined) continue;
      // One that can't be loaded is told of, and the others are written all the same.
      if (await this.#offerOf(source, listener) === undefined) continue;
      try {
        await this.#moduleOf(source).lockOffer();
      } catch (error) {
        remarks.add(`${source.lockFile}: what plugins offer is not recorded: ${messageOf(error)}`);
      }
    }
    return [...remarks];
  }

  /** Returns the text of a module, without loading it. */
  async textOf(source: ModuleSource): Promise<ModuleText> {
    return await this.#moduleOf(source).text();
  }

  /** Returns the groups that were seen since the last call. */
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
      const offer = await this.#offerOf(module, listener);
      if (offer === undefined) return [];
      return (offer.groups[group] ?? []).map((name) =>
        this.#offeredEntry(module, offer, { group, name })
      );
    });
    return [...own, ...(await Promise.all(offered)).flat()];
  }

  async #offerOf(
    source: ModuleSource,
    listener: CollectionListener,
  ): Promise<Offer | undefined> {
    const known = await this.#knownOf(source, listener);
    if (known === undefined) return undefined;
    const { offer } = known;
    if (!this.#known.has(source)) {
      const place = `plugin "${offer.plugin}" (${source.manifest})`;
      this.#groups.push(...Object.keys(offer.groups).map((written) => ({ written, place })));
    }
    this.#known.set(source, known);
    return offer;
  }

  async #knownOf(
    source: ModuleSource,
    listener: CollectionListener,
  ): Promise<KnownOffer | undefined> {
    const module = this.#moduleOf(source);
    try {
      if (this.#imports === "needed") return await module.offer();
      return await module.current() ?? outdated(await module.pastOffer());
    } catch (error) {
      // Then its entries fail one by one, where they are needed.
      const locked = await ifReadable(() => module.lockedOffer());
      if (locked !== undefined) return locked;
      const past = await module.pastOffer();
      await listener.failModule({ source, error, past, text: () => module.text() });
      return outdated(past);
    }
  }

  #namedEntry(entry: NamedEntry & ModuleSource): RawEntry {
    const { group, name, target, attribute, manifest } = entry;
    const module = attribute === "default" ? target.written : `${target.written}#${attribute}`;
    return this.#entry([group, name, target.key, attribute], () => ({
      origin: { group, name, plugin: module, module, manifest, directory: directoryOf(entry) },
      source: entry,
      version: () => pinnedVersion(entry),
      read: async () => exported((await this.#loader.load(entry)).namespace, attribute),
    }));
  }

  #offeredEntry(
    source: ModuleSource,
    { plugin, version }: Offer,
    { group, name }: Pick<Origin, "group" | "name">,
  ): RawEntry {
    const { target, manifest } = source;
    const module = target.written;
    return this.#entry([group, name, target.key], () => ({
      origin: { group, name, plugin, module, manifest, directory: directoryOf(source) },
      source,
      version: async () => version ?? await pinnedVersion(source),
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
    const module = this.#modules.get(source) ??
      new PluginModule(source, this.#loader, this.#offers);
    this.#modules.set(source, module);
    return module;
  }
}

/** Returns what a lock file says; nothing if it can't be read, which shows elsewhere. */
async function ifReadable(
  read: () => Promise<KnownOffer | undefined>,
): Promise<KnownOffer | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KarotteError) return undefined;
    throw error;
  }
}

/** Makes what is known of an offer of the past: no files decide how long it is true. */
function outdated(offer: Offer | undefined): KnownOffer | undefined {
  return offer === undefined ? undefined : { offer, files: undefined };
}
