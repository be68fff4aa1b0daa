import { KarotteError, messageOf } from "../base/errors.ts";
import type { PluginFlags } from "../plugins/plugin_flags.ts";

/** How the command was reached. */
export interface CommandCall {
  /** `karotte tasks list` */
  readonly path: string;
  /** `-C DIR` if it stood before the command's name. */
  readonly directory: string | undefined;
  /** What stood there about plugins. */
  readonly plugins: PluginFlags;
  /** Names of all built-in commands. */
  readonly builtins: readonly string[];
}

/** What a command is given besides its arguments. */
export interface CommandContext {
  /** How it was called, for messages: `karotte tasks list`. */
  readonly path: string;
  /** The environment's directory, absolute: `-C DIR`, or the current one. It exists. */
  readonly directory: string;
  /** What stood before the command's name about plugins. */
  readonly plugins: PluginFlags;
  /** Names of all built-in commands. */
  readonly builtins: readonly string[];
}

/** Throws if the call's directory (absent: the current one) is not a directory. */
export function contextFor({ directory = ".", ...call }: CommandCall): CommandContext {
  try {
    if (Deno.statSync(directory).isDirectory) {
      return { ...call, directory: Deno.realPathSync(directory) };
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw unusable(directory, messageOf(error));
    throw unusable(directory, "no such directory");
  }
  throw unusable(directory, "not a directory");
}

function unusable(directory: string, state: string): KarotteError {
  return new KarotteError("usage", `Cannot use environment directory "${directory}": ${state}`, {
    hint: "-C takes the directory of an environment; karotte create-env NAME makes one",
  });
}
