import type { MergeContext } from "./entry_point.ts";
import type { Entry, LoadedEntry } from "./entry.ts";

/** Loads the first by name that can be; those after it are not even imported. */
export async function firstLoaded<Value>(
  entries: readonly Entry<Value>[],
): Promise<LoadedEntry<Value> | undefined> {
  for (const entry of entries) {
    const loaded = await entry.load();
    if (loaded !== undefined) return loaded;
  }
  return undefined;
}

/** Returns the value of the first by name that loads. */
export async function firstThatLoads(
  entries: readonly Entry<string>[],
): Promise<string | undefined> {
  return (await firstLoaded(entries))?.value;
}

/** Loads all that can be, in the order of their names. */
export async function inNameOrder<Value>(
  entries: readonly Entry<Value>[],
): Promise<LoadedEntry<Value>[]> {
  const loaded = await Promise.all(entries.map((entry) => entry.load()));
  return loaded.filter((entry) => entry !== undefined);
}

/** Returns the texts of all lists that load: sorted, each once. */
export async function union(entries: readonly Entry<readonly string[]>[]): Promise<string[]> {
  const lists = await inNameOrder(entries);
  return [...new Set(lists.flatMap(({ value }) => value))].sort();
}

/**
 * Loads all that can be, by what `nameOf` calls them. One with the name of a built-in is ignored,
 * and of two with the same name the second.
 */
export async function byName<Value>(
  entries: readonly Entry<Value>[],
  { builtins, ignore }: MergeContext,
  nameOf: (entry: LoadedEntry<Value>) => string,
): Promise<Map<string, LoadedEntry<Value>>> {
  const named = new Map<string, LoadedEntry<Value>>();
  for (const entry of entries) {
    const loaded = await entry.load();
    if (loaded === undefined) continue;
    const name = nameOf(loaded);
    if (builtins.includes(name)) ignore(loaded.origin, `"${name}" is built in`);
    else if (named.has(name)) ignore(loaded.origin, `there is a "${name}" already`);
    else named.set(name, loaded);
  }
  return named;
}
