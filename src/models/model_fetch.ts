import { orAbort } from "../base/promises.ts";
import { httpClient, type Variable } from "./http_client.ts";

const SILENCE_MS = 300_000;
/** The longest answers take more than an hour. */
const WHOLE_MS = 2 * 3_600_000;
/** A turn of 128,000 tokens streams some 50 MiB. */
const MOST_BYTES = 256 * 1024 * 1024;

interface Limits {
  /** The longest time without a byte, before the answer or in it; absent: 300,000. */
  readonly silenceMs: number;
  /** The longest time for a whole answer; absent: two hours. */
  readonly wholeMs: number;
  /** The most bytes of an answer; absent: 256 MiB. */
  readonly mostBytes: number;
}

export interface ModelFetchOptions extends Partial<Limits> {
  /** Absent: the environment of this process. */
  readonly variable?: Variable;
}

/** Has connections of its own, until it is disposed. */
export type ModelFetch = typeof fetch & Disposable;

/** An answer is longer than any turn of a model. */
export class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";
}

/**
 * A `fetch` for model calls: sends a request once, on a connection of its own, follows no redirect
 * (the key would go along), and rejects, or ends the body, with a `TimeoutError` when nothing comes
 * any more and an `AnswerTooLongError` when too much does. Certificates that SSL_CERT_FILE,
 * NODE_EXTRA_CA_CERTS and DENO_CERT name are trusted too. Throws a usage error if they can't be.
 */
export function modelFetch(options: ModelFetchOptions = {}): ModelFetch {
  const { silenceMs = SILENCE_MS, wholeMs = WHOLE_MS, mostBytes = MOST_BYTES } = options;
  const client = httpClient(options.variable ?? ((name) => Deno.env.get(name)));
  const send = async (input: Request | URL | string, init: RequestInit = {}) => {
    const request = new Request(input, { ...init, redirect: "manual" });
    const watch = new Watch(request.signal, { silenceMs, wholeMs, mostBytes });
    const response = await watch.over(fetch(request, { client, signal: watch.signal }));
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(watch.body(response.body), { status, statusText, headers });
  };
  return Object.assign(send, { [Symbol.dispose]: () => client.close() });
}

/** Ends an exchange that takes too long. */
class Watch {
  readonly #ended = new AbortController();
  readonly signal: AbortSignal;
  readonly #limits: Limits;
  readonly #deadline: number;

  constructor(signal: AbortSignal, limits: Limits) {
    this.signal = AbortSignal.any([signal, this.#ended.signal]);
    this.#limits = limits;
    this.#deadline = performance.now() + limits.wholeMs;
  }

  /** What `step` resolves with; rejects, and ends the exchange, if it takes too long. */
  async over<Value>(step: Promise<Value>): Promise<Value> {
    const left = Math.max(this.#deadline - performance.now(), 0);
    const [milliseconds, what] = left < this.#limits.silenceMs
      ? [left, `the answer was not whole after ${this.#limits.wholeMs / 1000} s`]
      : [this.#limits.silenceMs, `nothing came for ${this.#limits.silenceMs / 1000} s`];
    const timer = setTimeout(
      () => this.#ended.abort(new DOMException(what, "TimeoutError")),
      milliseconds,
    );
    try {
      // Not left to the step: Deno does not always end a read when its request is aborted.
      return await orAbort(step, this.signal);
    } catch (error) {
      // What broke because it was ended says less than why it was.
      throw this.signal.aborted ? this.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  body(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    let bytes = 0;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await this.over(reader.read());
      if (done) return controller.close();
      bytes += value.length;
      if (bytes > this.#limits.mostBytes) {
        const error = new AnswerTooLongError(
          `an answer of more than ${this.#limits.mostBytes} bytes`,
        );
        await reader.cancel(error);
        throw error;
      }
      controller.enqueue(value);
    };
    // Nothing is read before it is asked for: the silence of the reader is not the server's.
    return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, {
      highWaterMark: 0,
    });
  }
}
