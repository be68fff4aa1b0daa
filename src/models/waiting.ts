import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../base/clock.ts";
import type { Model } from "./model.ts";

/** The milliseconds between two lines about a call that waits. */
const EVERY_MS = 15_000;

/** The part of an answer that has come. */
interface Arrival {
  bytes: number;
}

/** The call that a request belongs to: one model may have several under way. */
const currentCall = new AsyncLocalStorage<Arrival>();

export interface WaitingOptions {
  readonly clock: Clock;
  /** Is told every 15 s while a call waits: `waiting for the model 45 s, 12 kB so far`. */
  told(line: string): void;
  /** The one that the line says is waited for. */
  readonly whom: string;
}

/**
 * Returns a model that says so while a call of `model` takes long, from its first try to its last
 * with the waits between them. The bytes are those of the try that is under way, as `countedFetch`
 * counts them.
 */
export function tellingWaits(model: Model, { clock, told, whom }: WaitingOptions): Model {
  return {
    id: model.id,
    async ask(request) {
      const arrival: Arrival = { bytes: 0 };
      const since = clock.now();
      const over = new AbortController();
      const telling = everySoOften(clock, over.signal, () => {
        const seconds = Math.round((clock.now() - since) / 1000);
        told(`waiting for ${whom} ${seconds} s, ${Math.round(arrival.bytes / 1000)} kB so far`);
      });
      try {
        return await currentCall.run(arrival, () => model.ask(request));
      } finally {
        over.abort();
        await telling;
      }
    },
  };
}

async function everySoOften(clock: Clock, over: AbortSignal, tell: () => void): Promise<void> {
  while (!over.aborted) {
    // Only the end of the call ends a wait before its time.
    const isOver = await clock.sleep(EVERY_MS, over).then(() => false, () => true);
    if (!isOver && !over.aborted) tell();
  }
}

/** Returns a `fetch` that counts the bytes of an answer for the call that asked for it. */
export function countedFetch(fetched: typeof fetch): typeof fetch {
  return async (input, init) => {
    const arrival = currentCall.getStore();
    if (arrival !== undefined) arrival.bytes = 0;
    const response = await fetched(input, init);
    if (response.body === null || arrival === undefined) return response;
    const { status, statusText, headers } = response;
    const counted = countedBody(response.body, arrival);
    return new Response(counted, { status, statusText, headers });
  };
}

function countedBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  arrival: Arrival,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      arrival.bytes += value.length;
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
