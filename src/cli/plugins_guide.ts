import { printLine } from "../base/log.ts";
import { defineCommand } from "./command.ts";
import { PLUGIN_GUIDE } from "./plugins_guide_text.ts";

export const command = defineCommand({
  description: `
Prints how to write, register and publish a plugin, in Markdown.`,
  run() {
    printLine(PLUGIN_GUIDE.trimEnd());
  },
});
