import { dirname, join } from "@std/path";
import { gzipSync } from "node:zlib";
import { type EmbeddedFile, embeddedPath } from "../../src/base/embedded.ts";
import { readEsbuildPackage } from "../../src/loader/bundler/esbuild_package.ts";
import type { Bundles } from "./bundle.ts";
import { withRecognisedAgent } from "./recognised_agent.ts";

/** Lays out what is to be embedded: the modules in `folder`, the other files in `folder/assets`. */
export async function stage({ program, harness }: Bundles, folder: string): Promise<void> {
  for (const [name, text] of withRecognisedAgent(program)) await write(join(folder, name), text);
  const [harnessFile = ""] = harness.files.values();
  const { script, wasm } = await readEsbuildPackage();
  const assets: Record<EmbeddedFile, string | Uint8Array> = {
    "esbuild.js": script,
    "esbuild.wasm": wasm,
    "karotte.js": harnessFile,
  };
  for (const [name, content] of Object.entries(assets)) {
    // The cast: the keys are those of the record's type.
    await write(join(folder, embeddedPath(name as EmbeddedFile)), gzipSync(content, { level: 9 }));
  }
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await (typeof content === "string"
    ? Deno.writeTextFile(path, content)
    : Deno.writeFile(path, content));
}
