import { concat } from "../base/bounded_bytes.ts";

/** An event, as it lies in the file. */
export interface EventLine {
  /** The event's JSON, without the newline. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The offset of the next line. */
  readonly end: number;
}

const NEWLINE = 10;
const CHUNK_BYTES = 64 * 1024;

/** Reads a run's events from the file that the recorder appends to. */
export class EventFile implements Disposable {
  readonly #file: Deno.FsFile;

  /** Opens the file at once: it may be renamed later. Throws what the file system says. */
  constructor(path: string) {
    this.#file = Deno.openSync(path, { read: true });
  }

  /** The line that starts at `offset`; undefined as long as it is not there as a whole. */
  async lineAt(offset: number): Promise<EventLine | undefined> {
    await this.#file.seek(offset, Deno.SeekMode.Start);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const buffer = new Uint8Array(CHUNK_BYTES);
      const count = await this.#file.read(buffer);
      if (count === null) return undefined;
      const chunk = buffer.subarray(0, count);
      const newline = chunk.indexOf(NEWLINE);
      chunks.push(newline < 0 ? chunk : chunk.subarray(0, newline));
      length += newline < 0 ? count : newline;
      if (newline >= 0) return { bytes: concat(chunks, length), end: offset + length + 1 };
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
