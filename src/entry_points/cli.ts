import { z } from "zod";
import type { PluginCommand } from "../sdk/plugin_command.ts";
import { refuseCommandName } from "./command_name.ts";
import { entryPoint } from "./entry_point.ts";
import { byName } from "./merge.ts";
import { functionOf } from "./function_of.ts";

/**
 * Subcommands, each named after its entry: `karotte mytool`. One with a built-in's name is ignored.
 *
 * ```ts
 * "karotte.cli": {
 *   mytool: { description: "Greets.", main: (args, { printLine }) => printLine(`hi ${args[0]}`) },
 * }
 * ```
 */
export const cli = entryPoint({
  group: "karotte.cli",
  summary: "A subcommand: { description, main(args, context) }.",
  check: z.custom<PluginCommand>((value) => isCommand.safeParse(value).success, {
    error: "expected { description, main(args, context) }",
  }),
  refuse: refuseCommandName,
  merge: (entries, context) => byName(entries, context, ({ origin }) => origin.name),
  show: (commands) => [...commands.keys()],
});

/** Looked at, not copied: `main` may need its `this`. */
const isCommand = z.looseObject({ description: z.string(), main: functionOf() });
