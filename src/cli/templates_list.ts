import { printLine } from "../base/log.ts";
import type { Template } from "../templates/template.ts";
import { availableTemplates } from "./available_templates.ts";
import { defineCommand } from "./command.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";

export const command = defineCommand({
  description: `
Lists the templates that karotte create-env --template takes: Karotte's own and those of plugins,
with the package they come from.`,
  flags: {
    json: { type: "boolean", default: false, help: "Print JSON." },
    ...pluginFlags,
  },
  async run({ flags }, context) {
    const templates = await availableTemplates(context, pluginFlagsOf(flags, context.plugins), {
      own: false,
    });
    const sorted = templates.toSorted((a, b) => a.id < b.id ? -1 : 1);
    if (flags.json) return printLine(JSON.stringify(sorted.map(asJson), null, 2));
    for (const template of sorted) printLine(asText(template));
  },
});

function asJson(template: Template) {
  const { id, description, requires, do_not_recreate_if_deleted, requirement = null } = template;
  return { id, description, requires, do_not_recreate_if_deleted, requirement };
}

function asText({ id, description, requires, requirement }: Template): string {
  const origin = requirement === undefined ? "" : ` (${requirement})`;
  const others = requires.length === 0 ? "" : `\n  requires ${requires.join(", ")}`;
  return `${id}: ${description}${origin}${others}`;
}
