import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import config from "../../../deno.json" with { type: "json" };
import { readEmbedded } from "../../base/embedded.ts";
import { KarotteError } from "../../base/errors.ts";

/** The two files of the package `esbuild-wasm` that an in-process bundler needs. */
export interface EsbuildPackage {
  /** A CommonJS script whose exports are esbuild's API. */
  readonly script: string;
  readonly wasm: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the package: the compiled program carries it, the source tree has it in `node_modules`, and
 * a package from JSR in Deno's cache, where Deno puts it when it is asked for.
 */
export async function readEsbuildPackage(): Promise<EsbuildPackage> {
  return Deno.build.standalone ? await embedded() : await installed();
}

async function embedded(): Promise<EsbuildPackage> {
  const [script, wasm] = await Promise.all([
    readEmbedded("esbuild.js"),
    readEmbedded("esbuild.wasm"),
  ]);
  return { script: new TextDecoder().decode(script), wasm };
}

async function installed(): Promise<EsbuildPackage> {
  try {
    const find = import.meta.url.startsWith("file:")
      ? createRequire(import.meta.url).resolve
      : await denoCache();
    const [script, wasm] = await Promise.all([
      Deno.readTextFile(find("esbuild-wasm/lib/browser.min.js")),
      Deno.readFile(find("esbuild-wasm/esbuild.wasm")),
    ]);
    return { script, wasm };
  } catch (cause) {
    throw new KarotteError("runtime", 'Cannot read the package "esbuild-wasm": not installed', {
      hint: "Run `deno install` in Karotte's source tree, or connect to an npm registry.",
      cause,
    });
  }
}

/** Returns what finds a file of a package that `deno.json` names in Deno's cache. */
async function denoCache(): Promise<(file: string) => string> {
  const specifier = config.imports["esbuild-wasm"];
  // Deno installs what is imported, and only then knows where it is. Not a literal, which would
  // have Deno fetch 4 MB before every first command.
  await import(`${specifier}/package.json`, { with: { type: "json" } });
  return (file) => fileURLToPath(import.meta.resolve(file.replace("esbuild-wasm", specifier)));
}
