import { join, resolve } from "node:path";
import { printLine } from "../base/log.ts";
import { sourceTree } from "../host/source_tree.ts";
import { createEnvironment } from "../templates/create_environment.ts";
import { defineCommand } from "./command.ts";

export const command = defineCommand({
  description: `
Creates an environment: a Deno project with an example task, its tools, judges, data and tests.

  karotte create-env my_environment`,
  flags: {
    template: {
      type: "string",
      value: "ID",
      repeatable: true,
      help: "A template to start from (default: default).",
    },
  },
  positionals: {
    outputDir: {
      value: "OUTPUT_DIR",
      help: "The folder to create, below -C DIR; it must not exist.",
    },
  },
  async run({ flags, positionals }, { directory }) {
    const target = resolve(directory, positionals.outputDir);
    const tree = sourceTree();
    await createEnvironment({
      directory: target,
      ...(flags.template.length > 0 ? { templates: flags.template } : {}),
      ...(tree === undefined ? {} : { sourceTree: tree }),
    });
    const karotte = tree === undefined ? "karotte" : `sh ${quoted(join(tree, "scripts/karotte"))}`;
    printLine([
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
