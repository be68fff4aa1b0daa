import { within } from "../base/promises.ts";
import { isLazy } from "../sdk/define_plugin.ts";
import type { ModuleLoader, ModuleSource } from "./module_loader.ts";
import { type ModuleText, readModuleText } from "./module_text.ts";
import type { KnownOffer, LoadedFacts, Offer, Offers } from "./offers.ts";
import { type PluginDefinition, readPluginDefinition } from "./plugin_definition.ts";

const LAZY_TIME_LIMIT_MS = 10_000;

/** A box, since a value with a `then` must not be awaited by accident. */
export interface Boxed {
  readonly value: unknown;
}

/** A module that `"plugins"` or `--with` names: it says itself what it has to offer. */
export class PluginModule {
  readonly source: ModuleSource;
  readonly #loader: ModuleLoader;
  readonly #offers: Offers;
  #current: KnownOffer | undefined;
  #said: KnownOffer | undefined;
  #text: Promise<ModuleText> | undefined;
  #loaded: { definition: PluginDefinition; known: KnownOffer; facts: LoadedFacts } | undefined;

  constructor(source: ModuleSource, loader: ModuleLoader, offers: Offers) {
    this.source = source;
    this.#loader = loader;
    this.#offers = offers;
  }

  /** Returns what it said that it offers, if it has not changed since; else it is loaded. */
  async offer(): Promise<KnownOffer> {
    if (this.#loaded !== undefined) return this.#loaded.known;
    this.#said ??= await this.#offers.current(this.source, () => this.#digest(), "itself");
    return this.#said ?? (await this.#load()).known;
  }

  /** Returns what the lock file says that it offers, if that is true as of now. */
  async lockedOffer(): Promise<KnownOffer | undefined> {
    return await this.#offers.locked(this.source);
  }

  /** Returns what it offers; undefined: that is not known without loading it. */
  async current(): Promise<KnownOffer | undefined> {
    if (this.#loaded !== undefined) return this.#loaded.known;
    return this.#current ??= await this.#offers.current(this.source, () => this.#digest());
  }

  /** Returns all that it is known to have offered, although that may have changed. */
  async pastOffer(): Promise<Offer | undefined> {
    return await this.#offers.past(this.source);
  }

  /** Writes what it offers into the lock file, unless that says it already. */
  async lockOffer(): Promise<void> {
    if (await this.#offers.locked(this.source) !== undefined) return;
    const { facts } = await this.#load();
    await this.#offers.lock(this.source, facts);
  }

  /** Returns the text of the module, with all that it imports as far as that is known. */
  text(): Promise<ModuleText> {
    return this.#text ??= this.#readText();
  }

  /** Loads the module, and what a `lazy` value stands for. */
  async value(group: string, name: string): Promise<Boxed> {
    const { definition } = await this.#load();
    const read = definition.groups.get(group)?.get(name);
    if (read === undefined) throw new Error("the module does not offer it any more");
    const value = read();
    return isLazy(value) ? await lazyValue(value) : { value };
  }

  #digest(): Promise<string | undefined> {
    return this.#loader.digest(this.source);
  }

  async #readText(): Promise<ModuleText> {
    const bundle = await this.#loader.bundledText(this.source);
    if (bundle !== undefined) return { texts: [bundle], hasMore: false, isMixed: false };
    const { target } = this.source;
    if (target.kind === "file") return readModuleText(target.path);
    return { texts: [], hasMore: true, isMixed: false };
  }

  async #load() {
    if (this.#loaded !== undefined) return this.#loaded;
    const { namespace, version, digest, inputs } = await this.#loader.load(this.source);
    const definition = readPluginDefinition(namespace);
    const groups = Object.fromEntries(
      [...definition.groups].map(([group, entries]) => [group, [...entries.keys()]]),
    );
    const facts = {
      offer: { digest, version, plugin: definition.name, groups },
      inputs,
      digest: () => this.#digest(),
    };
    const known = await this.#offers.remember(this.source, facts);
    return this.#loaded = { definition, known, facts };
  }
}

const LATE = Symbol("late");

async function lazyValue(lazy: { attribute: string; load(): Promise<object> }): Promise<Boxed> {
  const namespace = await within(lazy.load(), LAZY_TIME_LIMIT_MS, LATE);
  if (namespace === LATE) {
    throw new Error(`what it is loaded from did not settle within ${LAZY_TIME_LIMIT_MS / 1000} s`);
  }
  return exported(namespace, lazy.attribute);
}

/** Returns an export of a module. Throws an `Error` if there is none of that name. */
export function exported(namespace: object, attribute: string): Boxed {
  if (Object.hasOwn(namespace, attribute)) {
    // Any property of an object may be read, as unknown.
    return { value: (namespace as Readonly<Record<string, unknown>>)[attribute] };
  }
  const names = Object.keys(namespace).map((name) => `"${name}"`).join(", ") || "nothing";
  throw new Error(`the module has no export "${attribute}", it exports ${names}`);
}
