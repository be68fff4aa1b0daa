/**
 * Turns `plugins/README.md` into the module that `karotte plugins guide` prints it from, so that it
 * is there in the compiled program and from a registry too.
 *
 * Usage: sh scripts/deno run -RW scripts/generate_guide.ts
 */
import { escapeTemplateLiteral } from "../src/templates/generated_module.ts";

const GUIDE = new URL("../plugins/README.md", import.meta.url);
const MODULE = new URL("../src/cli/plugins_guide_text.ts", import.meta.url);

/** How the module is made again. */
export const GENERATE_COMMAND = "sh scripts/deno run -RW scripts/generate_guide.ts";

/** The source of the module, from what the guide says now. */
export async function guideModule(): Promise<string> {
  const text = await Deno.readTextFile(GUIDE);
  return `// Generated from plugins/README.md by: ${GENERATE_COMMAND}
// deno-fmt-ignore-file

/** The plugin guide, in Markdown. */
export const PLUGIN_GUIDE: string = \`${escapeTemplateLiteral(text)}\`;
`;
}

if (import.meta.main) await Deno.writeTextFile(MODULE, await guideModule());
