import { describeOrigin, type LoadedEntry, type Origin } from "../entry_points/entry.ts";
import type { EntryPoint, MergeContext } from "../entry_points/entry_point.ts";
import {
  type CollectionListener,
  EntryCollection,
  type FailedModule,
  type Imports,
  type PluginSource,
} from "./entry_collection.ts";
import { entryFailure, type Failure, fatalError, moduleFailure, skippedText } from "./failure.ts";
import { unknownGroups } from "./groups.ts";
import type { ModuleLoader, ModuleSource } from "./module_loader.ts";
import { namesEntry } from "./module_text.ts";
import { causeOf, type RawEntry, RegistryEntry } from "./registry_entry.ts";
import {
  lossOf,
  NEEDED,
  type Refusal,
  refusalOfEntry,
  type UnloadableRules,
} from "./unloadable.ts";

export interface RegistryOptions extends UnloadableRules {
  /** Those that win first. */
  readonly sources: readonly PluginSource[];
  /** Paths of the manifests that they come from. */
  readonly manifests: readonly string[];
  readonly loader: ModuleLoader;
  readonly imports: Imports;
  /** Any failure is fatal. */
  readonly strict: boolean;
  /** No failure is fatal, not even where that is the rule: for commands that only show them. */
  readonly lenient: boolean;
  /** Told once of each failure that is not fatal, and of whatever else the user should know. */
  readonly warn: (text: string) => void;
  /** Names that our own things have, by group. */
  readonly builtins: Readonly<Record<string, readonly string[]>>;
}

/** What became of an entry. */
export interface EntryState {
  readonly entry: RawEntry;
  /** `skipped`: it failed. `ignored`: it is fine, and not used. */
  readonly outcome: "loaded" | "skipped" | "ignored";
  /** Why, if it is not used. */
  readonly cause: string | undefined;
}

/** Any entry point, whatever its types. */
type Token = EntryPoint<unknown, unknown>;

/** What was read of an entry point. */
interface ReadEntryPoint {
  readonly entries: Map<RawEntry, RegistryEntry<unknown>>;
  /** In a box, since a value with a `then` must not be awaited by accident. */
  merging?: Promise<{ merged: unknown }>;
}

/** All plugins that were found; their modules are imported when an entry point is read. */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #collection: EntryCollection;
  readonly #failures: Failure[] = [];
  readonly #ignored = new Map<Origin, string>();
  readonly #warned = new Set<string>();
  readonly #read = new Map<Token, ReadEntryPoint>();
  readonly #listener: CollectionListener = {
    remark: (text) => this.#warn(text),
    failModule: (failed) => this.#failModule(failed),
  };
  #exemptions: Promise<void> | undefined;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#collection = new EntryCollection(options.sources, options.loader, options.imports);
  }

  /** Paths of the manifests that count, those that win first. */
  get manifests(): readonly string[] {
    return this.#options.manifests;
  }

  /** What was skipped so far. */
  get failures(): readonly Failure[] {
    return this.#failures;
  }

  /**
   * The merged value of an entry point; imports only what can have a part in it, and does it once.
   * What can't be used is warned of and skipped. Rejects with a plugin error where that is fatal.
   */
  async get<Value, Merged>(token: EntryPoint<Value, Merged>): Promise<Merged> {
    await this.#prepared();
    const { merged } = await (this.#readOf(token).merging ??= this.#merge(token));
    for (const text of await unknownGroups(this.#collection.takeGroups())) this.#warn(text);
    // It is kept by token, and this token's merge returned it.
    return merged as Merged;
  }

  /**
   * Returns the entries of a group that win, sorted by name. Imports nothing but modules of which
   * it is not known what they offer, and with `imports: "never"` nothing at all: of those it takes
   * what they offered when they were loaded last, if ever.
   */
  async entriesOf(group: string): Promise<RawEntry[]> {
    return await this.#collection.entriesOf(group, this.#listener);
  }

  /**
   * Returns the modules of which it is not known what they offer: they were never loaded, or have
   * changed since. Imports nothing.
   */
  async unknownModules(): Promise<ModuleSource[]> {
    return await this.#collection.unknownModules();
  }

  /**
   * Returns true if the text of a module of which it is not known what it offers has the group and
   * the name, so that to load it may bring the entry. Imports nothing; of a package that was never
   * bundled on this machine there is no text.
   */
  async mayOffer(group: string, name: string): Promise<boolean> {
    const unknown = await this.#collection.unknownModules();
    const texts = await Promise.all(unknown.map((source) => this.#collection.textOf(source)));
    return texts.some((text) => namesEntry(text, group, name));
  }

  /**
   * Writes what all modules offer into the lock files of their manifests, which are made where
   * there are none, so that a fresh clone knows it without loading them. Loads the modules of which
   * no lock file says it; one that can't be written is warned of.
   */
  async lockOffers(): Promise<void> {
    await this.#prepared();
    for (const text of await this.#collection.lockOffers(this.#listener)) this.#warn(text);
  }

  /**
   * Returns the files, besides the manifests, that decide which entries there are; undefined: other
   * things do so too, something failed, or nobody has asked for entries.
   */
  offerFiles(): readonly string[] | undefined {
    return this.#warned.size > 0 ? undefined : this.#collection.offerFiles();
  }

  /** Reads an entry point, and loads those of its entries too that its merge does not ask for. */
  async loadAll<Value>(token: EntryPoint<Value, unknown>): Promise<EntryState[]> {
    await this.#prepared();
    const raw = await this.entriesOf(token.group);
    const used = raw.filter((entry) => this.#refusal(entry, token) === undefined);
    await Promise.all(used.map((entry) => this.#entry(entry, token).load()));
    await this.get(token);
    return raw.map((entry): EntryState => {
      const failure = this.#failures.find(({ origin }) => origin === entry.origin);
      if (failure !== undefined) return { entry, outcome: "skipped", cause: failure.cause };
      const reason = this.#ignored.get(entry.origin);
      return { entry, outcome: reason === undefined ? "loaded" : "ignored", cause: reason };
    });
  }

  /** Loads one entry. Undefined: there is none of that name, or it can't be used. */
  async getEntry<Value>(
    token: EntryPoint<Value, unknown>,
    name: string,
  ): Promise<LoadedEntry<Value> | undefined> {
    await this.#prepared();
    const raw = (await this.entriesOf(token.group)).find(({ origin }) => origin.name === name);
    return raw === undefined ? undefined : await this.#entry(raw, token).load();
  }

  /**
   * Leaves out an entry that its consumer can't use after all: a failure like one of loading it.
   */
  skip(token: Token, origin: Origin, cause: string): void {
    this.#failEntry(token, origin, cause);
  }

  /** Tells the user something about an entry that is used. */
  remark(origin: Origin, text: string): void {
    this.#warn(`${describeOrigin(origin)} ${text}`);
  }

  async #merge<Value, Merged>(token: EntryPoint<Value, Merged>): Promise<{ merged: Merged }> {
    const entries: RegistryEntry<Value>[] = [];
    for (const raw of await this.entriesOf(token.group)) {
      const reason = this.#refusal(raw, token);
      if (reason === undefined) entries.push(this.#entry(raw, token));
      else this.#ignore(raw.origin, reason);
    }
    const context: MergeContext = {
      builtins: this.#builtins(token),
      ignore: (origin, reason) => this.#ignore(origin, reason),
      skip: (origin, cause) => this.#failEntry(token, origin, cause),
    };
    return { merged: await token.merge(entries, context) };
  }

  #entry<Value>(raw: RawEntry, token: EntryPoint<Value, unknown>): RegistryEntry<Value> {
    const { entries } = this.#readOf(token);
    const known = entries.get(raw) ??
      new RegistryEntry(raw, token.check, (...failed) => this.#failEntry(token, ...failed));
    entries.set(raw, known);
    // It is kept by token, and so of this token's type.
    return known as RegistryEntry<Value>;
  }

  #readOf(token: Token): ReadEntryPoint {
    const read = this.#read.get(token) ?? { entries: new Map() };
    this.#read.set(token, read);
    return read;
  }

  #refusal({ origin }: RawEntry, token: Token): string | undefined {
    return token.refuse?.(origin.name, this.#builtins(token));
  }

  #builtins({ group }: Token): readonly string[] {
    return this.#options.builtins[group] ?? [];
  }

  /** Reads what decides which packages may be loaded, before everything else. */
  #prepared(): Promise<void> {
    if (this.#options.imports === "never") throw new Error("this registry imports nothing");
    return this.#exemptions ??= this.#readExemptions();
  }

  async #readExemptions(): Promise<void> {
    const { ageDelayExemptions } = await import("../entry_points/age_delay_exemptions.ts");
    const { loader } = this.#options;
    // A module that can't be loaded yet may be one that an exemption is for: it is tried again.
    const silent = { remark: () => undefined, failModule: () => Promise.resolve() };
    const raw = await this.#collection.entriesOf(ageDelayExemptions.group, silent);
    if (raw.length === 0) return;
    const entries = raw.map((entry) => this.#entry(entry, ageDelayExemptions));
    const context = { builtins: [], ignore: () => undefined, skip: () => undefined };
    loader.ageDelayExemptions = await ageDelayExemptions.merge(entries, context);
  }

  #ignore(origin: Origin, reason: string): void {
    this.#ignored.set(origin, reason);
    this.#warn(`${describeOrigin(origin)} is ignored: ${reason}`);
  }

  #failEntry(token: Token, origin: Origin, cause: string, thrown?: unknown): void {
    const refusal = refusalOfEntry(token, this.#options);
    this.#fail(entryFailure(origin, cause, token.whenSkipped), refusal, thrown);
  }

  async #failModule(failed: FailedModule): Promise<void> {
    const { source, error, past } = failed;
    const { refusal, consequence, isUnrecorded } = await lossOf(failed, this.#options);
    // What is known to have been offered fails entry by entry.
    if (refusal === undefined && past !== undefined && !isUnrecorded) return;
    const cause = causeOf(error, source.target.written);
    this.#fail(moduleFailure(source, cause, consequence), refusal, error);
  }

  /** Tells of a failure once; throws each time where it is fatal. */
  #fail(failure: Failure, refusal: Refusal | undefined, thrown: unknown): void {
    const isKnown = this.#failures.some(({ what }) => what === failure.what);
    if (!isKnown) this.#failures.push(failure);
    const { strict, lenient } = this.#options;
    const fatal = refusal ?? (strict ? NEEDED : undefined);
    if (fatal !== undefined && !lenient) throw fatalError(failure, fatal, thrown);
    if (!isKnown) this.#warn(skippedText(failure));
  }

  #warn(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#options.warn(text);
  }
}
