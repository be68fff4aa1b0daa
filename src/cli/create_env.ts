import { join, resolve } from "node:path";
import { reportLine, warn } from "../base/log.ts";
import { sourceTree } from "../host/source_tree.ts";
import { createEnvironment } from "../templates/create_environment.ts";
import { availableTemplates } from "./available_templates.ts";
import { defineCommand } from "./command.ts";
import { KarotteError, messageOf } from "../base/errors.ts";
import { rememberOwn } from "../host/project/remember.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";
import { quoted } from "./quoted.ts";

export const command = defineCommand({
  description: `
Creates an environment: a Deno project with an example task, its tools, judges, data and tests.

  karotte create-env my_environment

Templates of plugins can be chosen too: karotte templates list shows all there are.`,
  flags: {
    template: {
      type: "string",
      value: "ID",
      repeatable: true,
      help: "A template to start from (default: default).",
    },
    ...pluginFlags,
  },
  positionals: {
    outputDir: {
      value: "OUTPUT_DIR",
      help: "The folder to create, below -C DIR; it must not exist.",
    },
  },
  async run({ flags, positionals }, context) {
    const target = resolve(context.directory, positionals.outputDir);
    const tree = sourceTree();
    await createEnvironment({
      directory: target,
      installed: await availableTemplates(context, pluginFlagsOf(flags, context.plugins), {
        own: true,
      }),
      ...(flags.template.length > 0 ? { templates: flags.template } : {}),
      ...(tree === undefined ? {} : { sourceTree: tree }),
    });
    await rememberAsOwn(target);
    const karotte = tree === undefined ? "karotte" : `sh ${quoted(join(tree, "scripts/karotte"))}`;
    reportLine([
      `Created ${target}`,
      "",
      "Next:",
      `  cd ${quoted(target)}`,
      `  ${karotte} tasks list`,
      `  ${karotte} run --task example_task --fake-model`,
    ].join("\n"));
  },
});

/** What the user made here is his: what he puts in it takes effect without a question. */
async function rememberAsOwn(directory: string): Promise<void> {
  try {
    await rememberOwn([await Deno.realPath(directory)]);
  } catch (error) {
    if (!(error instanceof KarotteError)) throw error;
    warn(
      `it is not remembered that the environment is yours, and you will be asked: ${
        messageOf(error)
      }`,
    );
  }
}
