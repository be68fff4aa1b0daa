/** Keeps the first and the last bytes of a stream of any length, and counts what lay between. */
export class BoundedBytes {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  readonly #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #total = 0;

  /** Limits in bytes. */
  constructor(limits: { head: number; tail: number }) {
    this.#headLimit = limits.head;
    this.#tailLimit = limits.tail;
  }

  /** Bytes pushed so far, dropped ones included. */
  get total(): number {
    return this.#total;
  }

  /** How many bytes between head and tail are gone. */
  get dropped(): number {
    return this.#total - this.#headBytes - Math.min(this.#tailBytes, this.#tailLimit);
  }

  /** Takes ownership of `chunk`: the caller must not write to it again. */
  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const room = this.#headLimit - this.#headBytes;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
      chunk = chunk.subarray(part.length);
    }
    if (chunk.length > 0) this.#pushTail(chunk);
  }

  head(): Uint8Array {
    return concat(this.#head, this.#headBytes);
  }

  /** The last bytes after the head; empty while the head is not full. */
  tail(): Uint8Array {
    const joined = concat(this.#tail, this.#tailBytes);
    return joined.subarray(Math.max(0, joined.length - this.#tailLimit));
  }

  /** Head and tail joined; with nothing dropped this is all there was. */
  bytes(): Uint8Array {
    const tail = this.tail();
    return concat([...this.#head, tail], this.#headBytes + tail.length);
  }

  #pushTail(chunk: Uint8Array): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    let first = this.#tail[0];
    while (first !== undefined && this.#tailBytes - first.length >= this.#tailLimit) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
      first = this.#tail[0];
    }
  }
}

/** One array out of many; `length` is the sum of theirs. */
export function concat(chunks: readonly Uint8Array[], length?: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length ?? chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
