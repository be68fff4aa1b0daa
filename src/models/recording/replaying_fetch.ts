import { KarotteError } from "../../base/errors.ts";
import { within } from "../../base/promises.ts";
import { BrokenStreamError } from "../broken_stream.ts";
import {
  describeRequest,
  type ExchangeCaller,
  type ExchangeRequest,
  type RecordedExchange,
  withRunId,
} from "./exchange.ts";
import type { ExchangeKey, ExchangeReplay } from "./exchange_replay.ts";
import { jsonDifference, shownDifference } from "./json_difference.ts";

export interface ReplayingOptions {
  readonly replay: ExchangeReplay;
  readonly caller: ExchangeCaller;
}

/**
 * A `fetch` without a network: answers the requests of each run and role in their order as the
 * recording does. Rejects with a `KarotteError` that a run ends with, for a request that is not the
 * recorded one, or that was not made then.
 */
export function replayingFetch({ replay, caller }: ReplayingOptions): typeof fetch {
  return async (input, init) => {
    const sent = new Request(input, init);
    sent.signal.throwIfAborted();
    const number = replay.counter.next(caller);
    const key = { run: caller.runIndex, role: caller.role, number };
    const request = await describeRequest(sent, caller);
    const recorded = await replay.exchange(key);
    if (recorded === undefined) {
      throw failed(replay, key, "was not recorded", "the recorded run made fewer calls");
    }
    compare(recorded.request, request, { replay, key });
    return answer(recorded, caller);
  };
}

function compare(
  recorded: ExchangeRequest,
  request: ExchangeRequest,
  { replay, key }: { replay: ExchangeReplay; key: ExchangeKey },
): void {
  for (const part of ["method", "path", "body"] as const) {
    const difference = jsonDifference(recorded[part], request[part], part);
    if (difference === undefined) continue;
    const [before, after] = shownDifference(difference);
    throw failed(
      replay,
      key,
      `differs at ${difference.path}: recorded ${before}, now ${after}`,
      "a replay needs the task, the config and the tools' output of the recorded run",
    );
  }
}

function failed(
  replay: ExchangeReplay,
  { run, role, number }: ExchangeKey,
  state: string,
  hint: string,
): KarotteError {
  const exchange = `exchange ${number} of run ${run}${role === "judge" ? "'s judges" : ""}`;
  return new KarotteError("run", `Cannot replay "${replay.path}": ${exchange} ${state}`, { hint });
}

function answer({ response, failure }: RecordedExchange, caller: ExchangeCaller): Response {
  const error = failure === null ? undefined : errorOf(failure);
  if (response === null) throw error ?? new TypeError("fetch failed");
  const { status, headers } = response;
  // Such answers have no body, and may have none.
  if ([204, 205, 304].includes(status)) return new Response(null, { status, headers });
  const bytes = new TextEncoder().encode(withRunId(response.body, caller));
  const given = Promise.withResolvers<void>();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      if (error === undefined) controller.close();
    },
    // Only what was said before is read first.
    async pull(controller) {
      if (failure?.name === GIVEN_UP) await within(given.promise, GIVE_UP_MS, undefined);
      controller.error(error);
    },
    cancel: () => given.resolve(),
  });
  return new Response(body, { status, headers });
}

/**
 * The reader did not want more of the answer, and won't now: that must not come before its reason.
 */
const GIVEN_UP = "AbortError";
const GIVE_UP_MS = 1000;

/** As `fetch` and its signals throw it. */
function errorOf({ name, message }: NonNullable<RecordedExchange["failure"]>): Error {
  if (name === "TypeError") return new TypeError(message);
  if (name === "TimeoutError") return new DOMException(message, name);
  return new BrokenStreamError(`the recorded answer broke off: ${message}`);
}
