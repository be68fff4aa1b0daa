import { logLine, warn } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { refuseCommandName } from "../entry_points/cli.ts";
import { describeOrigin, type Origin } from "../entry_points/entry.ts";
import { type OfferedCommand, Offers } from "../plugins/offers.ts";
import { NAMES_ONLY, openRegistry } from "../plugins/open_registry.ts";
import type { Registry } from "../plugins/registry.ts";
import { trustRecordPath } from "../trust/trust_record.ts";
import type { CommandEntry, CommandTable, FindCommandsOptions } from "./command.ts";
import { contextFor } from "./context.ts";
import { manifestStates } from "./project_trust.ts";

export const COMMANDS = "karotte.cli";

type Options = Pick<FindCommandsOptions, "directory" | "plugins" | "builtins">;

/** Lists the commands that plugins add, as far as it is known without importing any of them. */
export async function listedCommands(options: Options): Promise<CommandTable> {
  const { plugins, builtins } = options;
  const { directory, registry } = await registryOfNames(options);
  const origins = (await registry.entriesOf(COMMANDS)).map(({ origin }) => origin);
  const usable = origins.filter((origin) => isUsable(origin, builtins));
  const stateOf = await manifestStates({ directory, flags: plugins });
  const commands = usable.map(({ name, plugin, manifest }) => ({
    ...{ name, plugin },
    isTrusted: stateOf(manifest) !== "not trusted",
  }));
  await tellOfUnknown(registry);
  // What help warns of it has to find again the next time.
  if (usable.length === origins.length && plugins.with.length === 0) {
    await remember(registry, commands);
  }
  return tableOf(commands);
}

/** Tells the user of the plugins of which it is not known what they add. */
export async function tellOfUnknown(registry: Registry): Promise<void> {
  const unknown = await registry.unknownModules();
  if (unknown.length === 0) return;
  const names = unknown.map(({ target }) => `"${target.written}"`).join(", ");
  logLine(`not loaded yet, so not listed: ${names} (karotte plugins check loads them)`);
}

/** Opens all plugins by name: nothing can be loaded through it. */
export async function registryOfNames({ directory: given, plugins, builtins }: Options) {
  const call = { path: "karotte", directory: given, plugins, builtins };
  const { directory } = contextFor(call);
  const registry = await openRegistry({
    directory,
    flags: plugins,
    approvals: NAMES_ONLY,
    imports: "never",
    cacheDirectory: cacheDirectory(),
    warn,
    builtins: { [COMMANDS]: builtins },
  });
  return { directory, registry };
}

/** Returns the commands as help lists them. */
export function tableOf(commands: readonly OfferedCommand[]): CommandTable {
  return Object.fromEntries(commands.map((command) => [command.name, entryOf(command)]));
}

/** Returns a command that says of itself only which plugin it is from. */
export function entryOf(
  { plugin, isTrusted = true }: Pick<OfferedCommand, "plugin"> & Partial<OfferedCommand>,
): CommandEntry {
  return { summary: `From plugin "${plugin}"${isTrusted ? "" : " (not trusted)"}.`, ownHelp: true };
}

/** Says of a command that can't be used why; true: it can. */
export function isUsable(origin: Origin, builtins: readonly string[]): boolean {
  const reason = refuseCommandName(origin.name, builtins);
  if (reason !== undefined) warn(`${describeOrigin(origin)} is ignored: ${reason}`);
  return reason === undefined;
}

/** Remembers the commands for the next time that somebody asks for help. */
async function remember(registry: Registry, commands: readonly OfferedCommand[]): Promise<void> {
  const files = registry.offerFiles();
  if (files === undefined) return;
  const record = trustRecordPath();
  await new Offers(cacheDirectory()).rememberCommands(
    registry.manifests,
    commands,
    record === undefined ? files : [...files, record],
  );
}
