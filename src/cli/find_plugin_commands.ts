import { resolve } from "node:path";
import { warn } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { findManifests } from "../plugins/find_manifests.ts";
import type { CommandEntry, CommandTable, FindCommandsOptions } from "./command.ts";

/**
 * Returns the commands that plugins add. Without a plugin it is a few looks for a manifest; the
 * list for help is remembered while nothing has changed.
 */
export async function findPluginCommands(options: FindCommandsOptions): Promise<CommandTable> {
  const { plugins, directory = ".", forHelp } = options;
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
  const find = async () => await (await import("./plugin_commands.ts")).pluginCommands(options);
  if (!forHelp || plugins.with.length > 0 || warnings.length > 0) return await find();
  const { Offers } = await import("../plugins/offers.ts");
  const known = await new Offers(cacheDirectory()).commands(manifests);
  if (known === undefined) return await find();
  return Object.fromEntries(known.map(({ name, plugin }): [string, CommandEntry] => [name, {
    summary: `From plugin "${plugin}".`,
    ownHelp: true,
    async load() {
      const load = (await find())[name]?.load;
      if (load === undefined) throw new Error(`plugin command "${name}" is gone`);
      return await load();
    },
  }]));
}
