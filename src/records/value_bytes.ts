import { concat } from "../base/bounded_bytes.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Collects one JSON value; brackets and quotes tell where it ends. */
export class ValueBytes {
  readonly #mostBytes: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isPlain = false;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the value's bytes; undefined if they are more than are kept. */
  whole(): Uint8Array | undefined {
    return this.#length > this.#mostBytes ? undefined : concat(this.#parts, this.#length);
  }

  /** Takes bytes from `start` on; returns where the value ends, undefined if it goes on. */
  take(chunk: Uint8Array, start: number): number | undefined {
    const end = this.#findEnd(chunk, start);
    const part = chunk.subarray(start, end);
    this.#length += part.length;
    // The chunk's memory may be reused by the reader.
    if (this.#length <= this.#mostBytes) this.#parts.push(part.slice());
    else this.#parts = [];
    return end;
  }

  #findEnd(chunk: Uint8Array, start: number): number | undefined {
    for (let index = start; index < chunk.length; index++) {
      const byte = chunk[index]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return index + 1;
        }
      } else if (this.#isPlain) {
        if (isBlank(byte) || byte === COMMA || isClosing(byte)) return index;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth++;
      else if (isClosing(byte)) {
        if (--this.#depth === 0) return index + 1;
      } else if (this.#depth === 0) this.#isPlain = true; // a number or a word
    }
    return undefined;
  }
}

/** Returns true for what JSON allows between its values. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isClosing(byte: number): boolean {
  return byte === CLOSE_OBJECT || byte === CLOSE_LIST;
}
