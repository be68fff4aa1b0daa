import { KarotteError, messageOf } from "../base/errors.ts";

/** What a command is given besides its arguments. */
export interface CommandContext {
  /** How it was called, for messages: `karotte tasks list`. */
  readonly path: string;
  /** The environment's directory, absolute: `-C DIR`, or the current one. It exists. */
  readonly directory: string;
}

/** Throws if `directory` (absent: the current one) is not a directory. */
export function contextFor(path: string, directory = "."): CommandContext {
  try {
    if (Deno.statSync(directory).isDirectory) {
      return { path, directory: Deno.realPathSync(directory) };
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
