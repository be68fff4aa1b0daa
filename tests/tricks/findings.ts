import type { Guard } from "../../src/protocol/guards.ts";
import type { Outcome } from "./outcome.ts";
import type { Skipped } from "./suite.ts";

/** What was found on one runtime, with all guards. */
export interface RuntimeFindings {
  readonly name: string;
  /** The day of the run, as `2026-12-31`; of several `2026-12-01 to 2026-12-31`. */
  readonly date: string;
  readonly results: readonly (Outcome | Skipped)[];
}

/** What was found without a guard. */
export interface GuardFindings {
  readonly date: string;
  readonly played: number;
  /** The names of the tricks that paid. */
  readonly paid: readonly string[];
}

/** What runs of the suite found. */
export interface Findings {
  readonly runtimes: readonly RuntimeFindings[];
  readonly guards: Readonly<Partial<Record<Guard, GuardFindings>>>;
}

/**
 * Returns findings with those of a later run, which takes the place of the same tricks' earlier
 * ones. `names` are the tricks that there are now: what was found of others is left out.
 */
export function withLater(
  earlier: RuntimeFindings | undefined,
  later: RuntimeFindings,
  names: ReadonlySet<string>,
): RuntimeFindings {
  const played = new Set(later.results.map(({ trick }) => trick.name));
  const kept = (earlier?.results ?? []).filter(({ trick: { name } }) =>
    names.has(name) && !played.has(name)
  );
  const [first = later.date] = kept.length === 0 ? [] : earlier?.date.split(" to ") ?? [];
  const date = first === later.date ? first : `${first} to ${later.date}`;
  return { ...later, date, results: [...kept, ...later.results] };
}
