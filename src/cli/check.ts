import { reportLine } from "../base/log.ts";
import { printable } from "../base/one_line.ts";
import { checkDescription } from "../harness/check_description.ts";
import { environmentSettings } from "../host/environment/environment_settings.ts";
import { defineCommand } from "./command.ts";
import { describedEnvironment } from "./described_environment.ts";
import { pluginFlags } from "./plugin_flags.ts";

const description = `
Checks the environment: its files can be bundled, its tasks and tools load and are well formed, and
every tool that a task names exists, and every script that a judge runs; programs are looked for at
the end of karotte build, in the image. No judge may hold a model's key; each is made once to see that,
as far as it can be made without a run. Nothing is started but a child process without rights, and
plugins that the environment's own manifest names are not loaded: --plugins FILE does that.`;

export const command = defineCommand({
  description,
  flags: pluginFlags,
  async run({ flags }, context) {
    await environmentSettings(context.directory);
    const described = await describedEnvironment(context, { flags, trusted: false });
    const known = checkDescription(described);
    reportLine(`tasks: ${described.tasks.length}`);
    reportLine(`tools: ${known.map(printable).join(", ")}`);
    reportLine("ok");
  },
});
