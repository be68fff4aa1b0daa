import { KarotteError } from "../base/errors.ts";
import { logLine, reportLine, warn } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { callPlugin, type LoadedEntry, pluginError } from "../entry_points/entry.ts";
import { allowExit } from "../plugins/exit_guard.ts";
import { openRegistry } from "../plugins/open_registry.ts";
import type { Registry } from "../plugins/registry.ts";
import type { PluginCommand } from "../sdk/plugin_command.ts";
import type { Command, CommandEntry, CommandTable, FindCommandsOptions } from "./command.ts";
import { type CommandCall, contextFor } from "./context.ts";
import { COMMANDS, entryOf, isUsable, registryOfNames, tellOfUnknown } from "./listed_commands.ts";
import { approvedByUser } from "./project_trust.ts";

/**
 * Returns the commands that plugins add, so that one of them can be called by its name. Only where
 * a plugin has it, or may have it, plugins are loaded, after the user's yes.
 */
export async function commandsFor(
  name: string,
  options: FindCommandsOptions,
): Promise<CommandTable> {
  const { builtins, plugins } = options;
  const { directory, registry: names } = await registryOfNames(options);
  const origins = (await names.entriesOf(COMMANDS)).map(({ origin }) => origin);
  const mayBeThere = origins.some((origin) => origin.name === name) ||
    await names.mayOffer(COMMANDS, name);
  // A typo, or of a package that was never here: their names are all that matters.
  if (!mayBeThere) {
    await tellOfUnknown(names);
    return Object.fromEntries(origins.map((origin) => [origin.name, entryOf(origin)]));
  }
  const registry = await openRegistry({
    directory,
    flags: plugins,
    approvals: await approvedByUser({ directory, flags: plugins }),
    cacheDirectory: cacheDirectory(),
    warn,
    builtins: { [COMMANDS]: builtins },
  });
  const found = (await registry.entriesOf(COMMANDS)).map(({ origin }) => origin);
  return Object.fromEntries(
    found.filter((origin) => isUsable(origin, builtins)).map((origin): [string, CommandEntry] => [
      origin.name,
      {
        ...entryOf(origin),
        load: async () => ({ command: await commandOf(registry, origin.name) }),
      },
    ]),
  );
}

async function commandOf(registry: Registry, name: string): Promise<Command> {
  const { cli } = await import("../entry_points/cli.ts");
  const entry = await registry.getEntry(cli, name);
  if (entry === undefined) {
    throw new KarotteError("plugin", `Cannot run karotte ${name}: its plugin can't be used`, {
      hint: "karotte plugins check says more",
    });
  }
  return {
    declaration: { description: entry.value.description },
    run: (args, call) => runPluginCommand(entry, args, call),
  };
}

async function runPluginCommand(
  entry: LoadedEntry<PluginCommand>,
  args: readonly string[],
  call: CommandCall,
): Promise<number> {
  const { path, directory } = contextFor(call);
  allowExit();
  const status = await callPlugin(
    entry,
    () => entry.value.main(args, { path, directory, printLine: reportLine, logLine }),
  );
  if (status === undefined) return 0;
  if (Number.isInteger(status) && status >= 0 && status <= 255) return status;
  throw pluginError(entry.origin, `main() returned no exit status: ${String(status)}`);
}
