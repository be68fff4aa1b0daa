import type { Guard } from "../../src/protocol/guards.ts";
import type { Outcome } from "./outcome.ts";
import type { TrickRange, TrickRuntime } from "./range.ts";
import type { GroupedTrick } from "./trick.ts";

/** The most tricks at once: some of them take all of a processor. */
const AT_ONCE = 2;

/** A trick that a runtime lacks a program for. */
export interface Skipped {
  readonly trick: GroupedTrick;
  readonly skipped: string;
}

export interface PlayOptions {
  /** The guards to do without; absent: none. */
  readonly without?: readonly Guard[];
  /** Once it is true no trick begins any more, and those that did not have no result. */
  isOver?(): boolean;
  /** Called as each ends. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Plays tricks, two at once, and returns what came of them in their order. */
export async function playAll(
  range: TrickRange,
  tricks: readonly GroupedTrick[],
  { without = [], isOver = () => false, onOutcome = () => {} }: PlayOptions = {},
): Promise<(Outcome | Skipped)[]> {
  const missing = tricks.some(({ needs }) => needs !== undefined)
    ? await range.missingPrograms()
    : new Set<string>();
  const results: (Outcome | Skipped)[] = [];
  const waiting = tricks.map((trick, index) => ({ trick, index })).values();
  const work = async () => {
    for (const { trick, index } of waiting) {
      const skipped = lackOf(trick, { missing, runtime: range.runtime });
      if (skipped !== undefined) {
        results[index] = { trick, skipped };
        continue;
      }
      if (isOver()) continue;
      const outcome = await range.play(trick, without);
      results[index] = outcome;
      onOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results.filter((result) => result !== undefined);
}

/** Returns what a trick lacks on a runtime; undefined: nothing. */
function lackOf(
  trick: GroupedTrick,
  { missing, runtime }: { missing: ReadonlySet<string>; runtime: TrickRuntime },
): string | undefined {
  if (trick.inImages === true && runtime.baseImage === undefined) return "no image";
  const absent = (trick.needs ?? []).filter((program) => missing.has(program));
  return absent.length > 0 ? `no ${absent.join(", ")} in the sandbox` : undefined;
}
