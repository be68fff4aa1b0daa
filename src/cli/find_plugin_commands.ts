import { resolve } from "node:path";
import { warn } from "../base/log.ts";
import { findManifests } from "../plugins/find_manifests.ts";
import type { CommandTable, FindCommandsOptions } from "./command_table.ts";

/** The commands that plugins add; without a plugin it is a few looks for a manifest. */
export async function findPluginCommands(options: FindCommandsOptions): Promise<CommandTable> {
  const { plugins, directory = "." } = options;
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
  const { pluginCommands } = await import("./plugin_commands.ts");
  return await pluginCommands(options);
}
