import type { EntryPointValues } from "./entry_point_values.ts";

const LAZY: unique symbol = Symbol.for("karotte.lazy");
declare const VALUE: unique symbol;

/** Stands for a value that is loaded when it is needed. */
export interface Lazy<Value> {
  /** Marks what `lazy` made, in any copy of this module. */
  readonly [LAZY]: true;
  /** Only for the type checker. */
  readonly [VALUE]?: Value;
  /** Name of the module's export that is the value. */
  readonly attribute: string;
  /** Imports the module. */
  load(): Promise<object>;
}

type Entries<Value> = Readonly<Record<string, Value | Lazy<Value>>>;

/** Entries by group and name; groups that this version does not know are warned of, and ignored. */
export type PluginEntryPoints =
  & { readonly [Group in keyof EntryPointValues]?: Entries<EntryPointValues[Group]> }
  & { readonly [group: string]: Entries<unknown> };

/** The default export of a module that `"plugins"` of a manifest names. */
export interface Plugin {
  /** What messages call it. */
  readonly name: string;
  /** What the plugin offers. */
  readonly entryPoints: PluginEntryPoints;
}

/**
 * Defines a plugin; a value is given as it is, or by `lazy` where importing it costs something:
 *
 * ```ts
 * export default definePlugin({
 *   name: "acme",
 *   entryPoints: {
 *     "karotte.harness_secret_env": { acme: ["ACME_TOKEN"] },
 *     "karotte.cli": { acme: lazy(() => import("./cli.ts"), "app") },
 *   },
 * });
 * ```
 */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

/** The export `attribute` of a module that is imported when it is needed, not before. */
export function lazy<Module extends object, Attribute extends keyof Module & string>(
  load: () => Promise<Module>,
  attribute: Attribute,
): Lazy<Module[Attribute]> {
  return { [LAZY]: true, attribute, load };
}

/** Whether a value was made by `lazy` of any copy of this module. */
export function isLazy(value: unknown): value is Lazy<unknown> {
  return typeof value === "object" && value !== null && LAZY in value;
}
