/**
 * Writes the package for JSR into `dist/package`: what is published of the checkout, and the
 * program of the sandboxes, which packages carry. Then, there: `deno publish`.
 *
 * Usage: deno task package
 */
import { fromFileUrl, join } from "@std/path";
import { gzipSync } from "node:zlib";
import { logLine, printLine } from "../src/base/log.ts";
import { run } from "../src/base/process.ts";
import { removeIfThere } from "../src/base/temp_dir.ts";
import { buildProgram } from "../src/loader/bundler/program_build.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
/** `publish` in deno.json says what of these is published. */
const PUBLISHED = ["LICENSE", "README.md", "deno.json", "main.ts", "src"];
const PROGRAM_MODULE = "src/loader/published_program.ts";

/** Fills an empty folder with what `deno publish`, called there, publishes. */
export async function writePackage(folder: string): Promise<void> {
  const sources = PUBLISHED.map((name) => join(ROOT, name));
  const copied = await run(["cp", "-R", "--", ...sources, folder]);
  if (copied.code !== 0) throw new Error(new TextDecoder().decode(copied.stderr));
  await writeProgram(join(folder, PROGRAM_MODULE));
}

/** Puts the program into the module that says in the checkout that there is none. */
async function writeProgram(module: string): Promise<void> {
  const { files } = await buildProgram({ entry: join(ROOT, "src/harness/program.ts") });
  const [program = ""] = files.values();
  const packed = gzipSync(program, { level: 9 }).toString("base64");
  const source = await Deno.readTextFile(module);
  const written = source.replace("| undefined = undefined;", `| undefined = "${packed}";`);
  if (written === source) {
    throw new Error(`Cannot put the program into "${module}": no place there`);
  }
  await Deno.writeTextFile(module, written);
}

if (import.meta.main) {
  const folder = join(ROOT, "dist/package");
  await removeIfThere(folder);
  await Deno.mkdir(folder, { recursive: true });
  await writePackage(folder);
  printLine(folder);
  logLine("To publish it: cd there, and deno publish");
}
