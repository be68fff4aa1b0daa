import { KarotteError } from "../base/errors.ts";
import { printLine } from "../base/log.ts";
import { describeEnvironment } from "../host/environment.ts";
import { BUILTIN_TOOLS } from "../schemas/builtin_tools.ts";
import { defineCommand } from "./command.ts";

const description = `
Checks the environment: its files can be bundled, its tasks and tools load and are well formed, and
every tool that a task names exists. Nothing is started but a child process without rights.`;

export const command = defineCommand({
  description,
  async run(_args, { directory }) {
    const { tasks, tools } = await describeEnvironment({ directory });
    if (tasks.length === 0) {
      throw new KarotteError("usage", `Cannot find a task in "${directory}"`, {
        hint: "export a task from a file in src/environment/tasks (names with _ are left out)",
      });
    }
    const known = new Set<string>([...BUILTIN_TOOLS, ...tools]);
    for (const task of tasks) {
      const missing = task.tools.filter((name) => !known.has(name));
      if (missing.length === 0) continue;
      throw new KarotteError(
        "usage",
        `Task "${task.id}" names tools that do not exist: ${missing.join(", ")}`,
        {
          hint: `tools: ${[...known].sort().join(", ")}`,
        },
      );
    }
    printLine(`tasks: ${tasks.length}`);
    printLine(`tools: ${[...known].sort().join(", ")}`);
    printLine("ok");
  },
});
