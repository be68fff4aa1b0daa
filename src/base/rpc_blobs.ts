import { concat } from "./bounded_bytes.ts";
import { Sha256 } from "./sha256.ts";

/**
 * Streams over a channel: `blob.open`, `blob.chunk`..., `blob.close` are requests whose answers
 * are the acknowledgements, at most 8 of them open, so other messages pass between the chunks.
 */

/** Where a received stream goes. */
export interface BlobSink {
  write(chunk: Uint8Array<ArrayBuffer>): void | Promise<void>;
  /** All there, size and digest were right. */
  close(): void | Promise<void>;
  /** Cut off or refused: what was written must go. */
  abort(): void | Promise<void>;
}

type Send = (method: string, params: unknown) => Promise<{ answer: Promise<unknown> }>;
type Handler = (params: unknown) => unknown;

const CHUNK_BYTES = 256 * 1024;
/** A chunk of so much is no large object in base64: V8 frees it sooner. */
const PIECE_CHARS = 64 * 1024;
const WINDOW = 8;
/** Streams the other side may have open. */
const MAX_OPEN = 64;

/** Sends a stream; resolves when the receiver has checked and closed it. */
export async function sendBlob(
  send: Send,
  head: { blob: string; about: unknown },
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const { blob } = head;
  await (await send("blob.open", head)).answer;
  try {
    await sendContent(send, blob, source);
  } catch (error) {
    // A close that does not fit makes the receiver drop what it has; it may have done so already.
    await send("blob.close", { blob }).then(({ answer }) => answer).catch(() => {});
    throw error;
  }
}

async function sendContent(
  send: Send,
  blob: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const digest = new Sha256();
  const window: Promise<unknown>[] = [];
  let size = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
      const chunk = bytes.subarray(offset, offset + CHUNK_BYTES);
      await digest.update(chunk);
      size += chunk.length;
      if (window.length >= WINDOW) await window.shift();
      window.push((await send("blob.chunk", { blob, data: chunk.toBase64() })).answer);
    }
  }
  await Promise.all(window);
  await (await send("blob.close", { blob, size, sha256: await digest.digest() })).answer;
}

/** A long text as UTF-8, piece by piece: as a whole its bytes would be held beside it. */
export function* utf8Pieces(
  text: string,
  pieceChars = PIECE_CHARS,
): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + pieceChars, text.length);
    // A pair of surrogates is one character of UTF-8.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield encoder.encode(text.slice(start, end));
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Takes the other side's streams in, either for a sink or as a value in a message. */
export class BlobReceiver {
  readonly #open = new Map<string, Incoming>();
  readonly #values = new Map<string, unknown>();
  readonly #maxValueBytes: number;
  readonly #openSink: (about: unknown) => BlobSink | Promise<BlobSink>;

  readonly handlers: Readonly<Record<string, Handler | undefined>> = Object.assign(
    Object.create(null),
    {
      "blob.open": (params: unknown) => this.#onOpen(params),
      "blob.chunk": (params: unknown) => this.#onChunk(params),
      "blob.close": (params: unknown) => this.#onClose(params),
    },
  );

  constructor(
    maxValueBytes: number,
    openSink: (about: unknown) => BlobSink | Promise<BlobSink>,
  ) {
    this.#maxValueBytes = maxValueBytes;
    this.#openSink = openSink;
  }

  /** What stands in a message, taken from its blob if it came as one. */
  resolve(told: unknown): unknown {
    const blob = (told as { $blob?: unknown } | null | undefined)?.$blob;
    if (typeof blob !== "string") return told;
    if (!this.#values.has(blob)) throw new Error(`there is no blob "${blob}"`);
    const value = this.#values.get(blob);
    this.#values.delete(blob);
    return value;
  }

  /** Drops what is under way. */
  abort(): void {
    for (const incoming of this.#open.values()) incoming.abort();
    this.#open.clear();
    this.#values.clear();
  }

  async #onOpen(params: unknown): Promise<void> {
    const { blob, about } = params as { blob?: unknown; about?: unknown };
    if (typeof blob !== "string" || this.#open.has(blob)) throw new Error("bad blob.open");
    if (this.#open.size + this.#values.size >= MAX_OPEN) throw new Error("too many open blobs");
    const isValue = (about as { value?: unknown } | null)?.value === blob;
    const sink = isValue ? this.#valueSink(blob) : await this.#openSink(about);
    this.#open.set(blob, new Incoming(sink));
  }

  async #onChunk(params: unknown): Promise<void> {
    const { blob, data } = params as { blob?: unknown; data?: unknown };
    if (typeof data !== "string") throw new Error("bad blob.chunk");
    const incoming = this.#incoming(blob);
    try {
      await incoming.write(Uint8Array.fromBase64(data));
    } catch (error) {
      // The sender hears of it when nothing is left.
      if (this.#open.delete(String(blob))) await incoming.abort();
      throw error;
    }
  }

  async #onClose(params: unknown): Promise<void> {
    const { blob, size, sha256 } = params as Record<string, unknown>;
    const incoming = this.#incoming(blob);
    this.#open.delete(String(blob));
    await incoming.close(size, sha256);
  }

  #incoming(blob: unknown): Incoming {
    const incoming = this.#open.get(String(blob));
    if (!incoming) throw new Error(`there is no open blob "${String(blob)}"`);
    return incoming;
  }

  #valueSink(blob: string): BlobSink {
    const chunks: Uint8Array[] = [];
    let size = 0;
    return {
      write: (chunk) => {
        size += chunk.length;
        if (size > this.#maxValueBytes) {
          throw new Error(`a message above ${this.#maxValueBytes} bytes`);
        }
        chunks.push(chunk);
      },
      close: () => {
        this.#values.set(blob, JSON.parse(new TextDecoder().decode(concat(chunks))));
      },
      abort: () => {},
    };
  }
}

/** One stream on its way in. Chunks come as concurrent requests; they are written in order. */
class Incoming {
  readonly #sink: BlobSink;
  readonly #digest = new Sha256();
  #tail: Promise<void> = Promise.resolve();
  #size = 0;

  constructor(sink: BlobSink) {
    this.#sink = sink;
  }

  write(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#tail = this.#tail.then(async () => {
      this.#size += chunk.length;
      await this.#digest.update(chunk);
      await this.#sink.write(chunk);
    });
    this.#tail.catch(() => {}); // told to the sender by this chunk's answer and by close
    return this.#tail;
  }

  async close(size: unknown, sha256: unknown): Promise<void> {
    try {
      await this.#tail;
      if (size !== this.#size || sha256 !== await this.#digest.digest()) {
        throw new Error("the blob's size or digest is wrong");
      }
    } catch (error) {
      await this.#sink.abort();
      throw error;
    }
    await this.#sink.close();
  }

  async abort(): Promise<void> {
    this.#tail = this.#tail.catch(() => {}).then(() => this.#sink.abort());
    await this.#tail.catch(() => {}); // what can't be removed has nobody who could be told
  }
}
