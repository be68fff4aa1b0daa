import { printLine } from "../base/log.ts";
import { describeEnvironment } from "../host/environment.ts";
import { defineCommand } from "./command.ts";

const description = `
Lists the tasks of the environment. Its code runs only in a child process without rights.`;

export const command = defineCommand({
  description,
  flags: {
    json: { type: "boolean", default: false, help: "Print JSON, with what each task needs." },
  },
  async run({ flags }, { directory }) {
    const { tasks } = await describeEnvironment({ directory });
    const sorted = tasks.toSorted((a, b) => a.id < b.id ? -1 : 1);
    if (flags.json) return printLine(JSON.stringify(sorted, null, 2));
    printLine("Tasks:");
    for (const { id } of sorted) printLine(`  ${JSON.stringify(id)}`);
  },
});
