import { createRequire } from "node:module";
import { KarotteError } from "../base/errors.ts";

/** The two files of the package `esbuild-wasm` that an in-process bundler needs. */
export interface EsbuildPackage {
  /** A CommonJS script whose exports are esbuild's API. */
  readonly script: string;
  readonly wasm: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the package from the source tree's `node_modules`. All that knows where the bytes come from
 * is here, since a compiled program carries them in another way.
 */
export async function readEsbuildPackage(): Promise<EsbuildPackage> {
  if (!import.meta.url.startsWith("file:")) {
    throw new KarotteError("runtime", `Cannot bundle from "${import.meta.url}": no esbuild there`);
  }
  const find = createRequire(import.meta.url).resolve;
  try {
    const [script, wasm] = await Promise.all([
      Deno.readTextFile(find("esbuild-wasm/lib/browser.min.js")),
      Deno.readFile(find("esbuild-wasm/esbuild.wasm")),
    ]);
    return { script, wasm };
  } catch (cause) {
    throw new KarotteError("runtime", 'Cannot read the package "esbuild-wasm": not installed', {
      hint: "Run `deno install` in Karotte's source tree.",
      cause,
    });
  }
}
