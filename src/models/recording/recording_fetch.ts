import { causesOf, messageOf } from "../../base/errors.ts";
import { cleanBody } from "./clean_body.ts";
import {
  cleanText,
  describeRequest,
  type ExchangeCaller,
  type ExchangeResponse,
  type RecordedExchange,
} from "./exchange.ts";
import type { ExchangeLog } from "./exchange_log.ts";

export interface RecordingOptions {
  readonly log: ExchangeLog;
  readonly caller: ExchangeCaller;
  /** Where the calls go; undefined: to the provider itself. */
  readonly proxyUrl?: string | undefined;
}

/** What came of a request. */
type Outcome = Pick<RecordedExchange, "response" | "failure">;

const RECORDED_HEADERS = /^(content-type|retry-after(-ms)?)$/;

/**
 * A `fetch` that records all that goes through it, without secrets. An answer ends for its reader
 * when the exchange is on disk; one that is given up is recorded as far as it came.
 */
export function recordingFetch(fetched: typeof fetch, options: RecordingOptions): typeof fetch {
  const { log, caller, proxyUrl } = options;
  const proxy = proxyUrl === undefined ? null : cleanText(proxyUrl, caller);
  return async (input, init) => {
    const number = log.counter.next(caller);
    const copy = input instanceof Request ? input.clone() : new Request(input, init);
    const request = await describeRequest(copy, caller);
    const { runIndex: run, role } = caller;
    const record = ({ response, failure }: Outcome) =>
      log.append({ run, role, number, proxy, request, response, failure });
    let response;
    try {
      response = await fetched(input, init);
    } catch (error) {
      await record({ response: null, failure: failureIn(error, caller) });
      throw error;
    }
    const { status, statusText, headers } = response;
    const body = new RecordedBody(response, { record, caller });
    return new Response(await body.stream(), { status, statusText, headers });
  };
}

interface BodyOptions {
  record(outcome: Outcome): Promise<void>;
  readonly caller: ExchangeCaller;
}

/** The body of an answer, recorded when it is over. */
class RecordedBody {
  readonly #response: Response;
  readonly #options: BodyOptions;
  readonly #decoder = new TextDecoder();
  #text = "";
  #recorded: Promise<void> | undefined;

  constructor(response: Response, options: BodyOptions) {
    this.#response = response;
    this.#options = options;
  }

  async stream(): Promise<ReadableStream<Uint8Array> | null> {
    const reader = this.#response.body?.getReader();
    if (reader === undefined) {
      await this.#record(null);
      return null;
    }
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await this.#read(reader);
      if (value !== undefined) controller.enqueue(value);
      if (done) controller.close();
    };
    const cancel = async (reason: unknown) => {
      // Before a read that is under way takes this for the end.
      const recorded = this.#record({ name: "AbortError", message: "it was not read to its end" });
      await Promise.all([recorded, reader.cancel(reason)]);
    };
    return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>) {
    let read;
    try {
      read = await reader.read();
    } catch (error) {
      await this.#record(failureIn(error, this.#options.caller));
      throw error;
    }
    this.#text += this.#decoder.decode(read.value, { stream: !read.done });
    if (read.done) await this.#record(null);
    return read;
  }

  /** Only the first call counts. */
  #record(failure: RecordedExchange["failure"]): Promise<void> {
    return this.#recorded ??= this.#options.record(this.#outcome(failure));
  }

  #outcome(failure: RecordedExchange["failure"]): Outcome {
    const { status, headers } = this.#response;
    const response: ExchangeResponse = {
      status,
      headers: Object.fromEntries([...headers].filter(([name]) => RECORDED_HEADERS.test(name))),
      body: cleanBody(this.#text, (text) => cleanText(text, this.#options.caller)),
    };
    return { response, failure };
  }
}

/** Its kind, and the words of what caused it: `fetch` itself says little. */
function failureIn(error: unknown, caller: ExchangeCaller): RecordedExchange["failure"] {
  const causes = causesOf(error);
  const name = causes[0]?.name ?? "Error";
  return { name, message: cleanText(messageOf(causes.at(-1) ?? error), caller) };
}
