import { oneLine } from "../../base/one_line.ts";
import { within } from "../../base/promises.ts";
import { MalformedAnswerError, ReportedError } from "../answer_faults.ts";
import { BrokenStreamError } from "../broken_stream.ts";
import { type JsonObject, objectOf } from "./members.ts";
import { isReport } from "./reports.ts";
import { type SseEvent, SseParser } from "./sse.ts";
import type { EventReader, StreamRules } from "./stream_rules.ts";

export interface ReadableEventsOptions {
  readonly rules: StreamRules;
  /** The chunks that were read before. */
  readonly start: readonly Uint8Array<ArrayBuffer>[];
  readonly headers: Headers;
  /** The signal of the request. */
  readonly signal: AbortSignal | null | undefined;
}

/** The longest wait for what may follow a turn's end, its tokens. */
const AFTER_TURN_MS = 10_000;
/** The longest wait for the end of an answer when nothing more of it counts. */
const AFTER_STREAM_MS = 1000;
const DONE = "[DONE]";
const NOTHING = { value: undefined };
const SHOWN_CHARS = 200;

type Bytes = Uint8Array<ArrayBuffer>;

/** The state of an answer. `turn`: the turn is over; `stream`: and nothing more may follow. */
type Ended = "turn" | "stream" | undefined;

/** The stream of one answer, as its package can read it. */
export class ReadableEvents {
  readonly #reader: ReadableStreamDefaultReader<Bytes>;
  readonly #options: ReadableEventsOptions;
  readonly #events: EventReader;
  readonly #parser = new SseParser();
  readonly #decoder = new TextDecoder();
  readonly #start: Bytes[];
  /** The events that were read and not yet asked for. */
  readonly #ready: JsonObject[] = [];
  #ended: Ended;
  #isKnown = false;
  /** The first event that was not understood. */
  #unknown: string | undefined;

  constructor(reader: ReadableStreamDefaultReader<Bytes>, options: ReadableEventsOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#events = options.rules.open();
    this.#start = [...options.start];
  }

  /** Returns the events for the package, one a chunk. */
  stream(): ReadableStream<Bytes> {
    const encoder = new TextEncoder();
    return new ReadableStream({
      pull: async (controller) => {
        const event = await this.#next();
        if (event === undefined) return controller.close();
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
      },
      cancel: (reason) => this.#reader.cancel(reason),
    }, { highWaterMark: 0 });
  }

  async #next(): Promise<JsonObject | undefined> {
    while (this.#ready.length === 0) {
      if (this.#ended === "stream") {
        await this.#leave();
        return undefined;
      }
      const bytes = await this.#read();
      const text = this.#decoder.decode(bytes, { stream: bytes !== undefined });
      for (const event of this.#parser.feed(text)) await this.#take(event, false);
      if (bytes === undefined) await this.#finish();
    }
    return this.#ready.shift();
  }

  /** Reads on; undefined at the end. Once the turn is over, a break is an end like any other. */
  async #read(): Promise<Bytes | undefined> {
    const started = this.#start.shift();
    if (started !== undefined) return started;
    const read = this.#reader.read();
    const { value } = this.#ended === undefined
      ? await read
      : await within(read, AFTER_TURN_MS, NOTHING).catch(() => NOTHING);
    // Who gives up a call ends its stream too, which is no end of the answer.
    this.#options.signal?.throwIfAborted();
    return value;
  }

  async #take({ name, data }: SseEvent, isCut: boolean): Promise<void> {
    if (this.#ended === "stream" || data.trim() === "") return;
    if (data.trim() === DONE) {
      if (this.#ended !== undefined) this.#close();
      return;
    }
    const parsed = jsonOf(data);
    if (isCut && parsed === undefined) return;
    if (this.#ended === undefined && isReport(parsed?.value, name)) {
      await this.#fail(new ReportedError(parsed?.value ?? data, this.#options.headers));
    }
    const event = objectOf(parsed?.value);
    const reading = event && this.#events.read(event);
    if (reading !== undefined) {
      this.#isKnown = true;
      this.#ready.push(reading.event);
      if (reading.ends === "stream") this.#ended = "stream";
      if (reading.ends === "turn") this.#ended ??= "turn";
      return;
    }
    this.#unknown ??= data;
    // An event whose name says that it is of another kind may hold anything.
    const isOther = name !== undefined && name !== "message";
    if (parsed !== undefined || isOther || this.#ended !== undefined) return;
    const shown = oneLine(data, SHOWN_CHARS);
    await this.#fail(new MalformedAnswerError(`an event of the stream is no JSON: ${shown}`));
  }

  /** Takes the end of the answer in; throws where its turn has not ended. */
  async #finish(): Promise<void> {
    const cut = this.#parser.end();
    if (cut !== undefined) await this.#take(cut, true);
    if (this.#ended === "turn") this.#close();
    if (this.#ended !== undefined) return;
    const { api } = this.#options.rules;
    if (!this.#isKnown && this.#unknown !== undefined) {
      const shown = oneLine(this.#unknown, SHOWN_CHARS);
      throw new MalformedAnswerError(`the stream has no event of ${api}: ${shown}`);
    }
    throw new BrokenStreamError("the stream ended before the turn did");
  }

  /** Ends the stream: nothing of what may still come counts. */
  #close(): void {
    this.#ready.push(...this.#events.closing ?? []);
    this.#ended = "stream";
  }

  /** Reads on to the end, which is near, so that a recording holds all of the answer. */
  async #leave(): Promise<void> {
    const over = Promise.withResolvers<undefined>();
    const read = async () => {
      while (!(await this.#reader.read()).done) { /* nothing of it counts */ }
    };
    read().then(() => over.resolve(undefined), () => over.resolve(undefined));
    const isLate = await within(over.promise.then(() => false), AFTER_STREAM_MS, true);
    if (isLate) await this.#reader.cancel();
  }

  /** Gives the stream up. */
  async #fail(error: Error): Promise<never> {
    await this.#reader.cancel(error);
    throw error;
  }
}

/** Returns undefined for a text that is no JSON. */
function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // no JSON, or nested deeper than can be followed
  }
}
