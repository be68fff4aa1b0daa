import type { Hash } from "node:crypto";
import { concat } from "./bounded_bytes.ts";

/**
 * Enough for most files; a digest of more can't begin before all is there, so it needs a module.
 */
const MOST_HELD_BYTES = 256 * 1024;

/**
 * SHA-256 of bytes that come in pieces. Loads node's module, which takes as long as the start of a
 * small program, only for what is long. Each call is to be awaited before the next.
 */
export class Sha256 {
  #held: Uint8Array<ArrayBuffer>[] = [];
  #heldBytes = 0;
  #hash: Hash | undefined;

  /** The bytes may be changed afterwards. */
  async update(bytes: Uint8Array): Promise<void> {
    if (this.#hash === undefined && this.#heldBytes + bytes.length <= MOST_HELD_BYTES) {
      this.#held.push(bytes.slice());
      this.#heldBytes += bytes.length;
      return;
    }
    this.#hash ??= await this.#started();
    this.#hash.update(bytes);
  }

  /** In hex, of all there is; the last call. */
  async digest(): Promise<string> {
    if (this.#hash !== undefined) return this.#hash.digest("hex");
    return new Uint8Array(await crypto.subtle.digest("SHA-256", concat(this.#held))).toHex();
  }

  async #started(): Promise<Hash> {
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256");
    for (const piece of this.#held.splice(0)) hash.update(piece);
    return hash;
  }
}
