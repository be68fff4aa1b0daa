import { join, resolve } from "node:path";
import { reportLine } from "../base/log.ts";
import { sourceTree } from "../host/source_tree.ts";
import { createEnvironment } from "../templates/create_environment.ts";
import { availableTemplates } from "./available_templates.ts";
import { defineCommand } from "./command.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";

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
      installed: await availableTemplates(context, pluginFlagsOf(flags, context.plugins)),
      ...(flags.template.length > 0 ? { templates: flags.template } : {}),
      ...(tree === undefined ? {} : { sourceTree: tree }),
    });
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

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
