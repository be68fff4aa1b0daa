/**
 * Turns the files of `src/templates/default/` into the module that the program reads them from.
 *
 * Usage: sh scripts/deno run -RW scripts/generate_templates.ts
 */
import { fileURLToPath } from "node:url";
import { generatedModule } from "../src/templates/generated_module.ts";
import { readTemplateFiles } from "../src/templates/read_template.ts";

const templates = new URL("../src/templates/", import.meta.url);
const files = await readTemplateFiles(fileURLToPath(new URL("default/", templates)));
const output = new URL("default_files.ts", templates);
await Deno.writeTextFile(output, generatedModule("DEFAULT_FILES", files));
