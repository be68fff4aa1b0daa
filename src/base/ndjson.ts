import { concat } from "./bounded_bytes.ts";

/** Where bytes come from: null at the end. The array is the receiver's until the next call. */
export type ReadBytes = () => Promise<Uint8Array | null>;

export type LineFault = "oversized" | "torn";

/** A stream of lines that breaks the rules. */
export class LineError extends Error {
  override readonly name = "LineError";
  readonly fault: LineFault;
  /** The start of the line, at most 200 bytes. */
  readonly start: Uint8Array;

  constructor(fault: LineFault, message: string, start: Uint8Array) {
    super(message);
    this.fault = fault;
    this.start = start;
  }
}

const NEWLINE = 10;
const SHOWN_BYTES = 200;
const READ_BYTES = 256 * 1024;

/** The bytes of an open file, from where it stands. */
export function bytesOf(file: Deno.FsFile): ReadBytes {
  const buffer = new Uint8Array(READ_BYTES);
  return async () => {
    const count = await file.read(buffer);
    return count === null ? null : buffer.subarray(0, count);
  };
}

/**
 * Yields each line without its newline. Throws a `LineError` for a line above `maxBytes`, which is
 * never held in memory as a whole, and for a last line without a newline.
 */
export async function* readLines(
  read: ReadBytes,
  options: { maxBytes: number },
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    let chunk = await read();
    if (chunk === null) break;
    for (;;) {
      const end = chunk.indexOf(NEWLINE);
      const part: Uint8Array = end < 0 ? chunk : chunk.subarray(0, end);
      if (length + part.length > options.maxBytes) {
        const start = concat([...parts, part.subarray(0, SHOWN_BYTES)]).slice(0, SHOWN_BYTES);
        throw new LineError("oversized", `a line above ${options.maxBytes} bytes`, start);
      }
      if (end < 0) {
        // The chunk's memory may be reused by the reader.
        if (part.length > 0) parts.push(part.slice());
        length += part.length;
        break;
      }
      yield parts.length === 0 ? part : concat([...parts, part], length + part.length);
      parts = [];
      length = 0;
      chunk = chunk.subarray(end + 1);
    }
  }
  if (length > 0) {
    throw new LineError("torn", "the last line was cut off", concat(parts).slice(0, SHOWN_BYTES));
  }
}
