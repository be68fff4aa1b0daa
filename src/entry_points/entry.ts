import { KarotteError, messageOf } from "../base/errors.ts";

/** Where an entry comes from. */
export interface Origin {
  readonly group: string;
  /** Its name in the group. */
  readonly name: string;
  /** What the plugin calls itself; an entry that names its module itself: the module. */
  readonly plugin: string;
  /** As the manifest says it, with `#attribute` if it does. */
  readonly module: string;
  /** Path of the manifest, or the flag that named the module. */
  readonly manifest: string;
  /** Folder that a local module lies in; undefined for packages. */
  readonly directory: string | undefined;
}

/** An entry of a group before its value is needed. */
export interface Entry<Value> {
  readonly origin: Origin;
  /** Loads the value, once; undefined: it can't be used, and the user was told. */
  load(): Promise<LoadedEntry<Value> | undefined>;
}

/** A box, since a value with a `then` must not be awaited by accident. */
export interface LoadedEntry<Value> {
  readonly origin: Origin;
  readonly value: Value;
}

/**
 * Names an entry in messages: `entry "gpu" of karotte.hardware_limits from "./gpu.ts"
 * (/home/me/karotte.plugins.json)`
 */
export function describeOrigin({ group, name, plugin, module, manifest }: Origin): string {
  const source = plugin === module ? `"${module}"` : `plugin "${plugin}" ("${module}")`;
  return `entry "${name}" of ${group} from ${source} (${manifest})`;
}

/** Returns the error for what a plugin's code did wrong when it was called. */
export function pluginError(origin: Origin, found: string, cause?: unknown): KarotteError {
  return new KarotteError("plugin", `Cannot use ${describeOrigin(origin)}: ${found}`, {
    hint: "mend the plugin, or leave it out: karotte plugins remove, or --no-plugins",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Calls a plugin's code; whatever it throws becomes an error that names the plugin. */
export async function callPlugin<Result>(
  { origin }: LoadedEntry<unknown>,
  call: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw pluginError(origin, messageOf(error), error);
  }
}
