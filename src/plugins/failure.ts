import { KarotteError } from "../base/errors.ts";
import { describeOrigin, type Origin } from "../entry_points/entry.ts";
import type { ModuleSource } from "./module_loader.ts";
import type { Refusal } from "./unloadable.ts";

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

/** Describes a module that failed. */
export function moduleFailure(
  { target: { written }, manifest }: ModuleSource,
  cause: string,
  consequence: string,
): Failure {
  const what = `plugin "${written}" (${manifest})`;
  return { origin: undefined, what, cause, consequence };
}

/** Says in one line what was skipped, why, and what that means. */
export function skippedText({ what, cause, consequence }: Failure): string {
  return `${what} is skipped: ${cause}${consequence === undefined ? "" : `; ${consequence}`}`;
}

export function fatalError(
  { what, cause }: Failure,
  { reason, hint }: Refusal,
  thrown: unknown,
): KarotteError {
  const found = reason === undefined ? cause : `${cause}; ${reason}`;
  return new KarotteError("plugin", `Cannot load ${what}: ${found}`, { hint, cause: thrown });
}
