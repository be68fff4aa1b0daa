import { gunzipSync } from "node:zlib";

/**
 * A file that a compiled program carries, gzipped and beside its main module, since from its own
 * modules it can't tell where it was bundled from.
 */
export type EmbeddedFile = "esbuild.js" | "esbuild.wasm" | "karotte.js";

/**
 * Returns where a file is kept, seen from the main module. Not by its own name: a script or
 * WebAssembly would be parsed as a module.
 */
export function embeddedPath(name: EmbeddedFile): string {
  return `assets/${name}.gz`;
}

/** Reads a file that the compiled program carries. Throws where the program is not compiled. */
export async function readEmbedded(name: EmbeddedFile): Promise<Uint8Array<ArrayBuffer>> {
  if (!Deno.build.standalone) throw new TypeError(`"${name}" is in compiled programs only`);
  const packed = await Deno.readFile(new URL(embeddedPath(name), Deno.mainModule));
  return new Uint8Array(gunzipSync(packed));
}
