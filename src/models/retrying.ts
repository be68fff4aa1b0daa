import { type Clock, systemClock } from "../base/clock.ts";
import { causesOf, KarotteError } from "../base/errors.ts";
import { type FailureKind, ModelFailure } from "../protocol/model_failure.ts";
import type { Turn } from "../protocol/turn.ts";
import type { Gate } from "./gate.ts";
import type { Model, ModelRequest } from "./model.ts";

/** Tries of one call, whatever fails. */
const MOST_IN_ALL = 16;

/** Tries of one call that fail in that way. */
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

/** A wait helps against these for sure: a step whose time ends meanwhile has run out of time. */
const PASSING: readonly FailureKind[] = ["rate_limit", "provider", "timeout", "connection"];

const LEAST_WAIT_MS = 1000;
const MOST_WAIT_MS = 60_000;

export interface RetryingOptions {
  /** The provider's, shared with all that call it. */
  readonly gate: Pick<Gate, "enter" | "refused">;
  /** Told before each wait: `anthropic/x: 429: Slow down; next try in 4 s (2 of 16)`. */
  onRetry(told: string): void;
  readonly clock?: Clock;
  /** From 0 up to but not including 1. */
  readonly random?: () => number;
}

/**
 * Asks `model` until it gives a whole turn. Failures that may pass are tried again from the start,
 * at most 16 times in all; the last one is thrown when there is no sense in another try, or no time
 * for it: then its kind is `time_over` if it might have passed. What is no `ModelFailure`, or was caused by a `KarotteError`, is thrown as it comes.
 */
export function retrying(model: Model, options: RetryingOptions): Model {
  const { gate, onRetry, clock = systemClock, random = Math.random } = options;
  return {
    id: model.id,
    async ask(request) {
      const deadline = clock.now() + (request.remainingMs ?? Infinity);
      let tries = 0;
      // What is tried a few times only is counted apart: it may come and go among other failures.
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

/** The turn, or why there is none. */
async function attempt(model: Model, request: ModelRequest): Promise<Turn | ModelFailure> {
  try {
    return await model.ask(request);
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    // What this program says for itself, and not of a provider.
    const own = causesOf(error).find((cause) => cause instanceof KarotteError);
    if (own !== undefined) throw own;
    return error;
  }
}

/** A `retry-after` of 0 is no wait that can be believed of who has just refused. */
function backOff(retry: number, random: () => number): number {
  const base = Math.min(2 ** (retry - 1) * 1000, MOST_WAIT_MS);
  return Math.min(Math.max(base * (1 + random() / 2), LEAST_WAIT_MS), MOST_WAIT_MS);
}

/** The call was never made. */
function heldUp({ id }: Model): ModelFailure {
  const what = "the provider asks for fewer calls, and no time is left to wait for this one";
  return new ModelFailure(`${id}: ${what}`, { kind: "time_over" });
}

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
