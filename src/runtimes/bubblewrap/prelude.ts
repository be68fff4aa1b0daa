import { concat } from "../../base/bounded_bytes.ts";
import { KarotteError } from "../../base/errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const NEWLINE = 10;
const MAX_BYTES = 16 * 1024;

/** The few lines that the starting programs write to stdout before the channel begins. */
export class Prelude {
  readonly #reader: ReadableStreamDefaultReader<Bytes>;
  #rest: Bytes = new Uint8Array(0);
  #seen = 0;

  constructor(stream: ReadableStream<Bytes>) {
    this.#reader = stream.getReader();
  }

  /** Reads one line, which must be this one. Throws if the stream ends before. */
  async expect(line: string): Promise<void> {
    const got = await this.#line();
    if (got !== line) throw unexpected(got);
  }

  /**
   * Reads what `bwrap --info-fd` writes and returns the host's pid of the sandbox's first process.
   */
  async childPid(): Promise<number> {
    let text = "";
    for (;;) {
      const line = await this.#line();
      text += line;
      if (line === "}") break;
    }
    const pid = /"child-pid": (\d+)/.exec(text)?.[1];
    if (pid === undefined) throw unexpected(text);
    return Number(pid);
  }

  /** All that follows: the channel. Nothing more can be read here afterwards. */
  channel(): ReadableStream<Bytes> {
    const reader = this.#reader;
    const rest = this.#rest;
    return new ReadableStream<Bytes>({
      start(controller) {
        if (rest.length > 0) controller.enqueue(rest);
      },
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
  }

  /** Gives the stream up, for a start that failed. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      if (end >= 0) {
        const line = new TextDecoder().decode(this.#rest.subarray(0, end));
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      const { value, done } = await this.#reader.read();
      if (done || (this.#seen += value.length) > MAX_BYTES) throw unexpected(done ? "" : "more");
      this.#rest = concat([this.#rest, value]);
    }
  }
}

function unexpected(got: string): KarotteError {
  const state = got === "" ? "the starting program ended" : `it said "${got.slice(0, 200)}"`;
  return new KarotteError("runtime", `Cannot start the sandbox: ${state}`);
}
