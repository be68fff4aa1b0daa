import { resolve } from "node:path";
import { warn } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { findManifests } from "../plugins/find_manifests.ts";
import type { CommandTable, FindCommandsOptions } from "./command.ts";

/**
 * Returns the commands that plugins add. Without a plugin it is a few looks for a manifest; the
 * list for help is remembered while nothing has changed.
 */
export async function findPluginCommands(options: FindCommandsOptions): Promise<CommandTable> {
  const { plugins, directory = ".", name } = options;
  if (plugins.none) return {};
  const warnings: string[] = [];
  const manifests = findManifests({
    directory: resolve(directory),
    named: plugins.manifest,
    warn: (text) => warnings.push(text),
  });
  if (manifests.length === 0 && plugins.with.length === 0) {
    warnings.forEach(warn);
    return {};
  }
  if (name !== undefined) {
    return await (await import("./plugin_commands.ts")).commandsFor(name, options);
  }
  const { listedCommands, tableOf } = await import("./listed_commands.ts");
  if (plugins.with.length > 0 || warnings.length > 0) return await listedCommands(options);
  const { Offers } = await import("../plugins/offers.ts");
  const known = await new Offers(cacheDirectory()).commands(manifests.map(({ path }) => path));
  return known === undefined ? await listedCommands(options) : tableOf(known);
}
