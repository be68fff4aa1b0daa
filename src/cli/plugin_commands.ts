import { KarotteError } from "../base/errors.ts";
import { logLine, reportLine, warn } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { refuseCommandName } from "../entry_points/cli.ts";
import {
  callPlugin,
  describeOrigin,
  type LoadedEntry,
  type Origin,
  pluginError,
} from "../entry_points/entry.ts";
import { allowExit } from "../plugins/exit_guard.ts";
import { Offers } from "../plugins/offers.ts";
import { openRegistry } from "../plugins/open_registry.ts";
import type { Registry } from "../plugins/registry.ts";
import type { PluginCommand } from "../sdk/plugin_command.ts";
import type { Command, CommandEntry, CommandTable, FindCommandsOptions } from "./command.ts";
import { type CommandCall, contextFor } from "./context.ts";

const GROUP = "karotte.cli";

/**
 * Returns the commands that plugins add; imports only plugins of which it is not known what they
 * add.
 */
export async function pluginCommands(options: FindCommandsOptions): Promise<CommandTable> {
  const { builtins, plugins, directory } = options;
  const registry = await openRegistry({
    directory: contextFor({ path: "karotte", directory, plugins, builtins }).directory,
    flags: plugins,
    cacheDirectory: cacheDirectory(),
    warn,
    builtins: { [GROUP]: builtins },
    lenient: options.forHelp,
  });
  const origins = (await registry.entriesOf(GROUP)).map(({ origin }) => origin);
  const usable = origins.filter((origin) => isUsable(origin, builtins));
  const commands = usable.map((origin): [string, CommandEntry] => [
    origin.name,
    {
      summary: `From plugin "${origin.plugin}".`,
      ownHelp: true,
      load: async () => ({ command: await commandOf(registry, origin.name) }),
    },
  ]);
  // What help warns of it has to find again the next time.
  const isMemorable = usable.length === origins.length && plugins.with.length === 0;
  if (options.forHelp && isMemorable) await remember(registry, origins);
  return Object.fromEntries(commands);
}

/** Remembers the commands for the next time that somebody asks for help. */
async function remember(registry: Registry, origins: readonly Origin[]): Promise<void> {
  const files = registry.offerFiles();
  if (files === undefined) return;
  const commands = origins.map(({ name, plugin }) => ({ name, plugin }));
  await new Offers(cacheDirectory()).rememberCommands(registry.manifests, commands, files);
}

function isUsable(origin: Origin, builtins: readonly string[]): boolean {
  const reason = refuseCommandName(origin.name, builtins);
  if (reason !== undefined) warn(`${describeOrigin(origin)} is ignored: ${reason}`);
  return reason === undefined;
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
