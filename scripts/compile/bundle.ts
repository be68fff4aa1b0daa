import { fromFileUrl } from "@std/path";
import { createRequire } from "node:module";
import { buildProgram, type ProgramBuild } from "../../src/loader/bundler/program_build.ts";

const ROOT = new URL("../../", import.meta.url);

/** What the compiled program is made of. */
export interface Bundles {
  /** `main.js`, the Worker, and a file for each part that is loaded on demand. */
  readonly program: ProgramBuild;
  /** The harness, all in one file. */
  readonly harness: ProgramBuild;
}

/** Bundles the program, with the stand-ins for `@std` wherever JSR can be reached or not. */
export async function bundle(): Promise<Bundles> {
  const entry = fromFileUrl(new URL("main.ts", ROOT));
  const aliases = new Map([...await standIns(), ...ES_MODULES]);
  const workers = [fromFileUrl(new URL("src/harness/describe_worker.ts", ROOT))];
  const program = await buildProgram({ entry, workers, splitting: true, aliases });
  const harness = await buildProgram({
    entry: fromFileUrl(new URL("src/harness/program.ts", ROOT)),
  });
  return { program, harness };
}

/**
 * Packages whose main file hands `require` to a function, so that what it requires can't be
 * bundled, with the file of theirs that is an ES module.
 */
const ES_MODULES = new Map([
  ["jsonc-parser", createRequire(import.meta.url).resolve("jsonc-parser/lib/esm/main.js")],
]);

async function standIns(): Promise<Map<string, string>> {
  const map = new URL("scripts/offline/imports.json", ROOT);
  const { imports } = JSON.parse(await Deno.readTextFile(map)) as {
    imports: Record<string, string>;
  };
  return new Map(
    Object.entries(imports).flatMap(([name, target]) =>
      target.startsWith("./") ? [[name, fromFileUrl(new URL(target, map))]] : []
    ),
  );
}
