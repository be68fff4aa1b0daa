import { z } from "zod";
import type { PluginCommand } from "../sdk/plugin_command.ts";
import { entryPoint, functionOf } from "./entry_point.ts";
import { byName } from "./merge.ts";

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

/** Says why a plugin's command can't have this name; undefined: it can. */
export function refuseCommandName(name: string, builtins: readonly string[]): string | undefined {
  if (builtins.includes(name)) return `"karotte ${name}" is built in`;
  return /^[A-Za-z0-9][\w.-]*$/.test(name) ? undefined : "its name can't be typed as a command";
}
