import { printable, printableJson } from "../base/one_line.ts";
import { printLine } from "../base/log.ts";
import { defineCommand } from "./command.ts";
import { describedEnvironment } from "./described_environment.ts";
import { pluginFlags } from "./plugin_flags.ts";

const description = `
Lists the tasks of the environment. Its code runs only in a child process without rights, and
plugins that its own manifest names are not loaded: --plugins FILE does that.`;

export const command = defineCommand({
  description,
  flags: {
    json: { type: "boolean", default: false, help: "Print JSON, with what each task needs." },
    ...pluginFlags,
  },
  async run({ flags }, context) {
    const { tasks } = await describedEnvironment(context, { flags, asks: false });
    const sorted = tasks.toSorted((a, b) => a.id < b.id ? -1 : 1);
    if (flags.json) return printLine(printableJson(sorted));
    printLine("Tasks:");
    for (const { id } of sorted) printLine(`  ${printable(JSON.stringify(id))}`);
  },
});
