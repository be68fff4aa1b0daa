import { printLine } from "../base/log.ts";
import { checkDescription } from "../harness/check_description.ts";
import { describeEnvironment } from "../host/environment.ts";
import { environmentSettings } from "../host/environment_settings.ts";
import { defineCommand } from "./command.ts";

const description = `
Checks the environment: its files can be bundled, its tasks and tools load and are well formed, and
every tool that a task names exists. No judge may hold a model's key; each is made once to see that,
as far as it can be made without a run. Nothing is started but a child process without rights.`;

export const command = defineCommand({
  description,
  async run(_args, { directory }) {
    await environmentSettings(directory);
    const { tasks, tools, has_fake_model } = await describeEnvironment({ directory });
    const known = checkDescription({ tasks, tools, has_fake_model });
    printLine(`tasks: ${tasks.length}`);
    printLine(`tools: ${known.join(", ")}`);
    printLine("ok");
  },
});
