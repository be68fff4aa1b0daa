import { type Clock, systemClock } from "../base/clock.ts";
import { causesOf, KarotteError } from "../base/errors.ts";
import { type FailureKind, ModelFailure } from "../protocol/model_failure.ts";
import type { Turn } from "../protocol/turn.ts";
import type { Gate } from "./gate.ts";
import type { Model, ModelRequest } from "./model.ts";

/** The most attempts of a call, the first one included, whatever fails. */
const MOST_IN_ALL = 16;

/** The most attempts of a call that fail in that way. */
const MOST_TRIES: Readonly<Record<FailureKind, number>> = {
  rate_limit: MOST_IN_ALL,
  provider: MOST_IN_ALL,
  timeout: MOST_IN_ALL,
  connection: MOST_IN_ALL,
  unreachable: 4,
  authentication: 3,
  malformed: 2,
  context_length: 1,
  time_over: 1,
  request: 1,
};

/**
 * The kinds of failure that pass with time. Where such a call can't be tried again before the step
 * ends, the step has run out of time; any other failure stays what it is.
 */
const PASSING: readonly FailureKind[] = ["rate_limit", "provider", "timeout", "connection"];

/** The shortest wait before another attempt, in milliseconds, where the provider asks for none. */
const LEAST_WAIT_MS = 1000;
/** The longest wait before another attempt, in milliseconds, where the provider asks for none. */
const MOST_WAIT_MS = 60_000;

export interface RetryingOptions {
  /** The gate of the provider, shared by all that call it. */
  readonly gate: Pick<Gate, "enter" | "refused">;
  /** Shows a line before each wait: `anthropic/x: 429: Slow down; next try in 4 s (2 of 16)`. */
  onRetry(told: string): void;
  readonly clock?: Clock;
  /** Returns a number from 0 up to but not including 1, as `Math.random` does: the default. */
  readonly random?: () => number;
}

/**
 * Returns a model that asks `model` until it gives a whole turn. A call whose failure may pass is
 * made again from the start, at most 16 times in all, after a wait: the one that the provider asks
 * for, else an exponential back-off with jitter. It rejects with the last failure when another
 * attempt would not help, or would come after the request's time; then its kind is `time_over` if
 * it would have passed with time. An error that is no `ModelFailure` is passed on as it is, and so
 * is a `KarotteError` that caused one.
 */
export function retrying(model: Model, options: RetryingOptions): Model {
  const { gate, onRetry, clock = systemClock, random = Math.random } = options;
  return {
    id: model.id,
    async ask(request) {
      const deadline = clock.now() + (request.remainingMs ?? Infinity);
      let tries = 0;
      // Failures that are tried a few times only are counted apart: they may come between others.
      const few = new Map<FailureKind, number>();
      for (;;) {
        const admission = await gate.enter(request.signal, deadline);
        if (admission === undefined) throw heldUp(model);
        const outcome = await attempt(model, request);
        if (!(outcome instanceof ModelFailure)) return outcome;
        const { kind, message, retryAfterMs } = outcome;
        if (kind === "rate_limit") gate.refused(admission, retryAfterMs);
        tries += 1;
        few.set(kind, (few.get(kind) ?? 0) + 1);
        const most = MOST_TRIES[kind];
        const counted = most === MOST_IN_ALL ? tries : few.get(kind) ?? 0;
        if (counted >= most || tries >= MOST_IN_ALL) {
          throw tries === 1 ? outcome : noted(outcome, `tried ${tries} times`);
        }
        // A provider that has just refused a call can't mean a wait of 0.
        const wait = retryAfterMs || backOff(tries, random);
        if (clock.now() + wait >= deadline) {
          const kind = PASSING.includes(outcome.kind) ? "time_over" : outcome.kind;
          throw noted(outcome, "no time is left to try again", kind);
        }
        const seconds = Number((wait / 1000).toFixed(1));
        onRetry(`${message}; next try in ${seconds} s (${counted + 1} of ${most})`);
        await clock.sleep(wait, request.signal);
      }
    },
  };
}

/** Makes one attempt. Returns the turn, or the failure as a value. */
async function attempt(model: Model, request: ModelRequest): Promise<Turn | ModelFailure> {
  try {
    return await model.ask(request);
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    // An error of this program's own says more than the failure of the call that it caused.
    const own = causesOf(error).find((cause) => cause instanceof KarotteError);
    if (own !== undefined) throw own;
    return error;
  }
}

/**
 * Returns the milliseconds to wait before a retry, counted from 1: 1, 2, 4 s and so on, each longer
 * by up to a half at random, so that callers do not come back together, and a minute at the most.
 */
function backOff(retry: number, random: () => number): number {
  const base = Math.min(2 ** (retry - 1) * 1000, MOST_WAIT_MS);
  return Math.min(Math.max(base * (1 + random() / 2), LEAST_WAIT_MS), MOST_WAIT_MS);
}

/** Returns the failure of a call that was not made: the gate would not open in time. */
function heldUp({ id }: Model): ModelFailure {
  const what = "the provider asks for fewer calls, and no time is left to wait for this one";
  return new ModelFailure(`${id}: ${what}`, { kind: "time_over" });
}

/** Returns the failure with a note behind its message, and with another kind if one is given. */
function noted(
  failure: ModelFailure,
  note: string,
  kind: FailureKind = failure.kind,
): ModelFailure {
  const { status, retryAfterMs } = failure;
  return new ModelFailure(`${failure.message} (${note})`, {
    kind,
    status,
    retryAfterMs,
    cause: failure.cause,
  });
}
