import { createHash } from "node:crypto";

/** Returns the SHA-256 of data, in hex. */
export function digestOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

const CHUNK_BYTES = 1024 * 1024;

/** Returns the SHA-256 of a file of any size, in hex. */
export function fileDigest(path: string): string {
  using file = Deno.openSync(path);
  const size = file.statSync().size;
  const buffer = new Uint8Array(Math.min(Math.max(size, 1), CHUNK_BYTES));
  const hash = createHash("sha256");
  for (;;) {
    const count = file.readSync(buffer);
    if (count === null) return hash.digest("hex");
    hash.update(buffer.subarray(0, count));
  }
}
