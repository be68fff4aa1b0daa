import { BoundedBytes } from "../../base/bounded_bytes.ts";
import { logLine } from "../../base/log.ts";

const KEPT_BYTES = 64 * 1024;
/** A line that grows longer than this is logged in pieces. */
const LOG_LINE_LIMIT = 8 * 1024;

/** Passes a program's output on to the log, line by line, and keeps its last 64 KiB. */
export class OutputTail {
  readonly #kept = new BoundedBytes({ head: 0, tail: KEPT_BYTES });
  readonly #decoder = new TextDecoder();
  #line = "";

  push(chunk: Uint8Array): void {
    this.#log(this.#decoder.decode(chunk, { stream: true }));
    this.#kept.push(chunk);
  }

  /** The text that is kept, after a note of what is not. */
  end(): string {
    this.#log(this.#decoder.decode());
    if (this.#line !== "") logLine(this.#line);
    this.#line = "";
    const text = new TextDecoder().decode(this.#kept.bytes());
    const { dropped } = this.#kept;
    return dropped === 0 ? text : `[${dropped} bytes before this are left out]\n${text}`;
  }

  #log(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) logLine(line);
    if (this.#line.length > LOG_LINE_LIMIT) {
      logLine(this.#line);
      this.#line = "";
    }
  }
}
