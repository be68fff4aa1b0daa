import { writeAll } from "../base/files.ts";
import type { SparseLayout } from "../protocol/rpc.ts";

/** Bytes of a hole by which it is seen whether the file system keeps holes. */
const PROBE_BYTES = 8 * 1024 * 1024;
/** Bytes of a block, as `stat` counts them. */
const BLOCK_BYTES = 512;

/** Writes a stream of data into a new file: as it comes, or at its places in a sparse one. */
export class SparseWriter {
  readonly #file: Deno.FsFile;
  readonly #layout: SparseLayout | undefined;
  #extent = 0;
  /** Bytes of the current stretch that are written. */
  #done = 0;

  /** Without a `layout` all is data. */
  constructor(file: Deno.FsFile, layout: SparseLayout | undefined) {
    this.#file = file;
    this.#layout = layout;
  }

  /** Throws for more data than the layout has room for, and what the file system says. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#layout === undefined) return await writeAll(this.#file, bytes);
    for (let rest = bytes; rest.length > 0;) {
      const extent = this.#layout.extents[this.#extent];
      if (extent === undefined) throw new Error("more data than the file has");
      const [start, length] = extent;
      const part = rest.subarray(0, length - this.#done);
      await this.#file.seek(start + this.#done, Deno.SeekMode.Start);
      await writeAll(this.#file, part);
      rest = rest.subarray(part.length);
      this.#done += part.length;
      if (this.#done < length) continue;
      this.#extent += 1;
      this.#done = 0;
    }
  }

  /** Gives a sparse file its size. Throws if its holes would take room. */
  async finish(): Promise<void> {
    if (this.#layout === undefined) return;
    const { size } = this.#layout;
    const { size: written, blocks } = await this.#file.stat();
    if (size > written + PROBE_BYTES) {
      await this.#file.truncate(written + PROBE_BYTES);
      const grown = await this.#file.stat();
      const taken = ((grown.blocks ?? Infinity) - (blocks ?? 0)) * BLOCK_BYTES;
      if (taken >= PROBE_BYTES) {
        throw new Error(`the file has ${size} bytes, and this file system keeps no holes`);
      }
    }
    await this.#file.truncate(size);
  }
}
