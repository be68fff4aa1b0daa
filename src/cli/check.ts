import { reportLine, warn } from "../base/log.ts";
import { printable } from "../base/one_line.ts";
import { checkDescription } from "../harness/check_description.ts";
import { environmentSettings } from "../host/environment/environment_settings.ts";
import { findStudentPaths } from "../host/environment/student_paths.ts";
import { defineCommand } from "./command.ts";
import { describedEnvironment } from "./described_environment.ts";
import { pluginFlags } from "./plugin_flags.ts";

const description = `
Checks the environment: its files can be bundled, its tasks and tools load and are well formed, and
every tool that a task names exists, and every script that a judge runs; programs are looked for at
the end of karotte build, in the image. No judge may hold a model's key; each is made once to see
that, as far as it can be made without a run. A warning tells of code that uses a literal path below
/workdir as root, who would follow a link of the student's there. Nothing is started but a child
process without rights, and
plugins that the environment's own manifest names are loaded only if you said yes to what they are
now (karotte trust), or with --plugins FILE.`;

const HINT =
  "list the path in submissionPaths and read context.submission(path), or the same path " +
  "below KAROTTE_SUBMISSION in a scoring script; elsewhere use context.student";

export const command = defineCommand({
  description,
  flags: pluginFlags,
  async run({ flags }, context) {
    await environmentSettings(context.directory);
    const described = await describedEnvironment(context, { flags, asks: false });
    const known = checkDescription(described);
    for (const warning of described.warnings) warn(warning);
    reportLine(`tasks: ${described.tasks.length}`);
    reportLine(`tools: ${known.map(printable).join(", ")}`);
    for (const { file, line, call } of await findStudentPaths(described.directory)) {
      warn(
        `${file}:${line}: ${call} follows a link that the student leaves there, as root: ${HINT}`,
      );
    }
    reportLine("ok");
  },
});
