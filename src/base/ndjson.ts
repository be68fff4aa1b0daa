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

/** A part of a stream of lines: a whole line without its newline, or what stands for one. */
export type LinePart =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** A line above the limit; what follows it in the line is passed over. */
  | { readonly kind: "oversized"; readonly start: Uint8Array }
  /** The end of the stream, if it has no newline. */
  | { readonly kind: "torn"; readonly bytes: Uint8Array };

/**
 * Yields each line without its newline. Throws a `LineError` for a line above `maxBytes`, which is
 * never held in memory as a whole, and for a last line without a newline.
 */
export async function* readLines(
  read: ReadBytes,
  options: { maxBytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const part of splitLines(read, options)) {
    if (part.kind === "oversized") {
      throw new LineError("oversized", `a line above ${options.maxBytes} bytes`, part.start);
    }
    if (part.kind === "torn") {
      throw new LineError("torn", "the last line was cut off", part.bytes.slice(0, SHOWN_BYTES));
    }
    yield part.bytes;
  }
}

/** Yields the lines of a stream whatever they are; one above `maxBytes` as soon as that is seen. */
export async function* splitLines(
  read: ReadBytes,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<LinePart> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    let chunk = await read();
    if (chunk === null) break;
    for (;;) {
      const end = chunk.indexOf(NEWLINE);
      const part: Uint8Array = end < 0 ? chunk : chunk.subarray(0, end);
      if (length <= maxBytes && length + part.length > maxBytes) {
        const start = concat([...parts, part.subarray(0, SHOWN_BYTES)]).slice(0, SHOWN_BYTES);
        parts = [];
        yield { kind: "oversized", start };
      }
      length += part.length;
      if (end < 0) {
        // The chunk's memory may be reused by the reader.
        if (part.length > 0 && length <= maxBytes) parts.push(part.slice());
        break;
      }
      if (length <= maxBytes) {
        yield { kind: "line", bytes: parts.length === 0 ? part : concat([...parts, part], length) };
      }
      parts = [];
      length = 0;
      chunk = chunk.subarray(end + 1);
    }
  }
  if (length > 0 && length <= maxBytes) yield { kind: "torn", bytes: concat(parts, length) };
}
