import { Buffer } from "node:buffer";
import { BoundedBytes } from "../../base/bounded_bytes.ts";

/** What one command wrote to one stream: its first bytes, and how many there were. */
export interface Collected {
  readonly head: Uint8Array;
  readonly total: number;
}

/** A marker reads `<nonce>=<exit status>;`. */
const MARKER_END = /^=(\d{1,3});/;
const READ_BYTES = 65_536;
const MARKER_END_BYTES = "=255;".length;
/** More than a nonce and what follows it: what may have to wait for the next read. */
const MAX_CARRY_BYTES = 256;

/**
 * One stream of a shell that serves many commands. It is read all the time, so that no background
 * job ever stops at a full pipe; of what a command writes only the head is kept.
 */
export class MarkedOutput {
  /** Resolves when every copy of the pipe's other end is closed, or reading was cancelled. */
  readonly ended: Promise<void>;
  readonly #reader: ReadableStreamBYOBReader;
  readonly #headBytes: number;
  #kept: BoundedBytes;
  /** What was carried over, then what was read: one buffer, so that no read leaves garbage. */
  readonly #window = new Uint8Array(MAX_CARRY_BYTES + READ_BYTES);
  /** How many bytes at the start of the window may be the beginning of a marker. */
  #carried = 0;
  #finished: Collected | undefined;
  #awaited: { nonce: string; found: (status: number) => void } | undefined;

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>, options: { headBytes: number }) {
    this.#headBytes = options.headBytes;
    this.#kept = this.#emptyStore();
    this.#reader = stream.getReader({ mode: "byob" });
    this.ended = this.#pump().catch(() => {/* What can't be read is at its end. */});
  }

  /** Resolves with the exit status once the marker with this nonce has come. */
  marker(nonce: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#awaited = { nonce, found: resolve };
    return promise;
  }

  /** Hands over what came before the marker; without one, everything up to now. */
  take(): Collected {
    if (this.#finished === undefined) {
      this.#keep(this.#window.subarray(0, this.#carried));
      this.#carried = 0;
      this.#awaited = undefined;
      this.#finish();
    }
    const taken = this.#finished;
    this.#finished = undefined;
    return taken ?? { head: new Uint8Array(0), total: 0 };
  }

  /** Stops reading, whoever still holds the other end. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  /** What comes from now on belongs to the next command. */
  #finish(): void {
    this.#finished = { head: this.#kept.head(), total: this.#kept.total };
    this.#kept = this.#emptyStore();
  }

  #emptyStore(): BoundedBytes {
    return new BoundedBytes({ head: this.#headBytes, tail: 0 });
  }

  /** One buffer serves all reads: 100 MB must not become 100 MB of garbage. */
  async #pump(): Promise<void> {
    let buffer = new ArrayBuffer(READ_BYTES);
    for (;;) {
      const { value, done } = await this.#reader.read(new Uint8Array(buffer));
      if (done || value === undefined) return;
      this.#accept(value);
      buffer = value.buffer;
    }
  }

  /** Copies what is kept, since the buffer of `bytes` is used again. */
  #keep(bytes: Uint8Array): void {
    const room = Math.max(0, this.#headBytes - this.#kept.total);
    if (room > 0) this.#kept.push(bytes.slice(0, room));
    if (bytes.length > room) this.#kept.push(bytes.subarray(room));
  }

  #accept(chunk: Uint8Array): void {
    this.#window.set(chunk, this.#carried);
    const bytes = this.#window.subarray(0, this.#carried + chunk.length);
    this.#carried = 0;
    if (this.#awaited === undefined) return this.#keep(bytes);
    const { nonce, found } = this.#awaited;
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = view.indexOf(nonce); at >= 0; at = view.indexOf(nonce, at + 1)) {
      const end = at + nonce.length;
      const status = MARKER_END.exec(view.toString("latin1", end, end + MARKER_END_BYTES));
      if (status !== null) {
        this.#keep(bytes.subarray(0, at));
        this.#finish();
        this.#keep(bytes.subarray(end + status[0].length));
        this.#awaited = undefined;
        return found(Number(status[1]));
      }
    }
    const split = Math.max(0, bytes.length - nonce.length - MARKER_END_BYTES);
    this.#keep(bytes.subarray(0, split));
    bytes.copyWithin(0, split);
    this.#carried = bytes.length - split;
  }
}
