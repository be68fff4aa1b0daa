import type { Clock } from "../../base/clock.ts";
import { messageOf } from "../../base/errors.ts";
import { PassingFailure } from "./failure.ts";

/** How often and how long something is tried. */
export interface RetryPolicy {
  /** Milliseconds for all tries and the pauses between them. */
  readonly budgetMs: number;
  /** Milliseconds for one try. */
  readonly attemptMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Told once, when a few tries have failed. */
  onTrouble?(what: string): void;
}

/** What came of the tries. */
export interface Retried<Result> {
  readonly result: Result;
  /** How many tries it took. Where it was more than one, the first may have been heard. */
  readonly attempts: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** One hiccup is nobody's concern. */
const ATTEMPTS_BEFORE_TROUBLE = 3;

/**
 * Tries until it works, with ever longer pauses. Throws what is no `PassingFailure` at once, a
 * `PassingFailure` when the budget is used up, and the signal's reason.
 */
export async function retried<Result>(
  attempt: (attemptMs: number) => Promise<Result>,
  { budgetMs, attemptMs, signal, clock, onTrouble }: RetryPolicy,
): Promise<Retried<Result>> {
  const end = clock.now() + budgetMs;
  for (let attempts = 1;; attempts++) {
    signal.throwIfAborted();
    try {
      const result = await attempt(Math.min(attemptMs, end - clock.now()));
      return { result, attempts };
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      const pauseMs = pauseAfter(attempts);
      if (clock.now() + pauseMs >= end) {
        const tries = attempts === 1 ? "" : ` (tried ${attempts} times)`;
        throw new PassingFailure(messageOf(error) + tries, { cause: error });
      }
      if (attempts === ATTEMPTS_BEFORE_TROUBLE) onTrouble?.(messageOf(error));
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** Doubled each time up to a ceiling, and spread: many runs share a backend. */
function pauseAfter(attempts: number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return pauseMs * (0.5 + Math.random() / 2);
}
