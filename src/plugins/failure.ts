import { KarotteError } from "../base/errors.ts";
import { describeOrigin, type Origin } from "../entry_points/entry.ts";

/** An entry, or a whole module, that can't be used. */
export interface Failure {
  /** Undefined: the whole module, whose entries are not known. */
  readonly origin: Origin | undefined;
  /** What it is called in messages. */
  readonly what: string;
  /** What was found wrong. */
  readonly cause: string;
  /** What it means for a run that it is missing; undefined: nothing else than that. */
  readonly consequence: string | undefined;
}

export function entryFailure(origin: Origin, cause: string, consequence?: string): Failure {
  return { origin, what: describeOrigin(origin), cause, consequence };
}

/** Describes a module that failed; `module` is what the manifest says. */
export function moduleFailure(module: string, manifest: string, cause: string): Failure {
  const what = `plugin "${module}" (${manifest})`;
  return { origin: undefined, what, cause, consequence: "whatever it adds is missing" };
}

/** Says in one line what was skipped, why, and what that means. */
export function skippedText({ what, cause, consequence }: Failure): string {
  return `${what} is skipped: ${cause}${consequence === undefined ? "" : `; ${consequence}`}`;
}

export function fatalError({ what, cause }: Failure, thrown: unknown): KarotteError {
  return new KarotteError("plugin", `Cannot load ${what}: ${cause}`, {
    hint: "mend the plugin, or leave it out: karotte plugins remove, or --no-plugins",
    cause: thrown,
  });
}
