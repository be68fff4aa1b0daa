import { canonicalGroup } from "./groups.ts";

/** What a module's `definePlugin` said; values are not looked at before they are needed. */
export interface PluginDefinition {
  readonly name: string;
  /** By group with its prefix, then by name. Reading one may throw. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, () => unknown>>;
}

/**
 * Reads the default export of a module that `"plugins"` names. Throws an `Error` that says what it
 * lacks, or whatever its own getters and traps throw.
 */
export function readPluginDefinition(
  namespace: Readonly<Record<string, unknown>>,
): PluginDefinition {
  if (!Object.hasOwn(namespace, "default")) {
    throw new Error("it has no default export; export default definePlugin({ ... })");
  }
  const { name, entryPoints } = objectAt(namespace.default, "its default export");
  if (typeof name !== "string" || name === "") {
    throw new Error("its default export has no name; export default definePlugin({ ... })");
  }
  const groups = new Map<string, Map<string, () => unknown>>();
  const written = objectAt(entryPoints, "entryPoints");
  for (const key of Object.keys(written)) {
    const entries = objectAt(written[key], `entryPoints["${key}"]`);
    const group = canonicalGroup(key);
    const known = groups.get(group) ?? new Map<string, () => unknown>();
    for (const entry of Object.keys(entries)) known.set(entry, () => entries[entry]);
    groups.set(group, known);
  }
  return { name, groups };
}

function objectAt(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    // Any property of an object may be read, as unknown.
    return value as Readonly<Record<string, unknown>>;
  }
  throw new Error(`${what} is not an object; export default definePlugin({ ... })`);
}
