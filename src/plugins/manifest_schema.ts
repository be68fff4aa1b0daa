import { ALL_ENTRY_POINTS } from "../entry_points/all.ts";
import { spellingsOf } from "./groups.ts";

const MODULE = "A path that starts with ./ or /, npm:NAME@RANGE or jsr:@SCOPE/NAME@RANGE.";

/**
 * Returns the JSON Schema (draft 7) of `karotte.plugins.json`: editors complete and check with it.
 */
export function manifestSchema(): Record<string, unknown> {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Plugins of Karotte",
    type: "object",
    additionalProperties: false,
    allowComments: true,
    allowTrailingCommas: true,
    properties: {
      $schema: { type: "string" },
      strict: {
        type: "boolean",
        default: false,
        description: "End the command if any plugin can't be loaded.",
      },
      plugins: {
        type: "array",
        uniqueItems: true,
        items: { type: "string", minLength: 1, description: MODULE },
        description: "Modules whose default export is a definePlugin().",
      },
      entryPoints: {
        type: "object",
        additionalProperties: false,
        description: "Single exports of modules, by entry point and name.",
        properties: Object.fromEntries(ALL_ENTRY_POINTS.flatMap(groupSchemas)),
      },
    },
  };
}

/** Returns the same schema for every way to write the group. */
function groupSchemas({ group, summary }: (typeof ALL_ENTRY_POINTS)[number]) {
  const schema = {
    type: "object",
    description: summary,
    additionalProperties: {
      type: "string",
      minLength: 1,
      description: `module#export, without #export the default one. ${MODULE}`,
    },
  };
  return spellingsOf(group).map((key) => [key, schema] as const);
}
