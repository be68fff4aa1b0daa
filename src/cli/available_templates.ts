import { warn } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { openRegistry } from "../plugins/open_registry.ts";
import type { PluginFlags } from "../plugins/plugin_flags.ts";
import { installedTemplates } from "../templates/installed_templates.ts";
import type { Template } from "../templates/template.ts";
import type { CommandContext } from "./context.ts";
import { approvedSoFar } from "./project_trust.ts";

/**
 * Templates to choose from; plugins that can't be used are warned of. `own`: those of plugins in
 * the user's own folders count.
 */
export async function availableTemplates(
  { directory }: CommandContext,
  flags: PluginFlags,
  { own }: { readonly own: boolean },
): Promise<Template[]> {
  const registry = await openRegistry({
    directory,
    flags,
    approvals: await approvedSoFar({ directory, flags, own }),
    cacheDirectory: cacheDirectory(),
    warn,
  });
  return await installedTemplates(registry);
}
