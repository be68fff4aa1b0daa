import { within } from "../base/promises.ts";
import { isLazy } from "../sdk/define_plugin.ts";
import { readLockedNames, writeLockedNames } from "./locked_names.ts";
import type { ModuleLoader, ModuleSource } from "./module_loader.ts";
import { type PluginDefinition, readPluginDefinition } from "./plugin_definition.ts";
import {
  isUpToDate,
  type OfferedNames,
  readRecordedNames,
  writeRecordedNames,
} from "./recorded_names.ts";

const LAZY_TIME_LIMIT_MS = 10_000;

/** A box, since a value with a `then` must not be awaited by accident. */
export interface Boxed {
  readonly value: unknown;
}

/** A module that `"plugins"` or `--with` names: it says itself what it has to offer. */
export class PluginModule {
  readonly source: ModuleSource;
  readonly #loader: ModuleLoader;
  #definition: { definition: PluginDefinition; names: OfferedNames } | undefined;

  constructor(source: ModuleSource, loader: ModuleLoader) {
    this.source = source;
    this.#loader = loader;
  }

  /** What it offers: as recorded, if it has not changed since; else it is loaded. */
  async names(): Promise<OfferedNames> {
    return this.#definition?.names ?? await this.#recorded() ?? (await this.#load()).names;
  }

  /** What it offered when it was last loaded, although that may have changed. */
  lastNames(): OfferedNames | undefined {
    return readRecordedNames(this.#loader.cacheDirectory, this.source.specifier);
  }

  /** Files that decide what it offers; undefined: other things do so too. */
  async nameFiles(): Promise<string[] | undefined> {
    const { directory, lockFile, specifier } = this.source;
    if (directory !== undefined) {
      return Object.keys(readRecordedNames(this.#loader.cacheDirectory, specifier)?.files ?? {});
    }
    const isFixed = await readLockedNames(this.source) !== undefined;
    return isFixed && lockFile !== undefined ? [lockFile] : undefined;
  }

  /** Loads the module, and what a `lazy` value stands for. */
  async value(group: string, name: string): Promise<Boxed> {
    const { definition } = await this.#load();
    const read = definition.groups.get(group)?.get(name);
    if (read === undefined) throw new Error("the module does not offer it any more");
    const value = read();
    return isLazy(value) ? await lazyValue(value) : { value };
  }

  async #recorded(): Promise<OfferedNames | undefined> {
    const fixed = await readLockedNames(this.source);
    if (fixed !== undefined) return fixed;
    const last = readRecordedNames(this.#loader.cacheDirectory, this.source.specifier);
    if (last === undefined) return undefined;
    const isSame = this.source.directory === undefined
      ? await this.#loader.digest(this.source) === last.digest
      : isUpToDate(last);
    return isSame ? last : undefined;
  }

  async #load() {
    if (this.#definition !== undefined) return this.#definition;
    const { namespace, version, digest, inputs } = await this.#loader.load(this.source);
    const definition = readPluginDefinition(namespace);
    const groups = Object.fromEntries(
      [...definition.groups].map(([group, entries]) => [group, [...entries.keys()]]),
    );
    const names = { digest, version, plugin: definition.name, groups };
    this.#definition = { definition, names };
    const { cacheDirectory } = this.#loader;
    await writeRecordedNames(cacheDirectory, this.source.specifier, { ...names, inputs });
    await writeLockedNames(this.source, cacheDirectory, names);
    return this.#definition;
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

/** An export of a module; throws an `Error` if there is none of that name. */
export function exported(namespace: object, attribute: string): Boxed {
  if (Object.hasOwn(namespace, attribute)) {
    // Any property of an object may be read, as unknown.
    return { value: (namespace as Readonly<Record<string, unknown>>)[attribute] };
  }
  const names = Object.keys(namespace).map((name) => `"${name}"`).join(", ") || "nothing";
  throw new Error(`the module has no export "${attribute}", it exports ${names}`);
}
