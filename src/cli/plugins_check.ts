import { logLine } from "../base/log.ts";
import { defineCommand } from "./command.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";
import { approvedByUser } from "./project_trust.ts";
import { loadReport, printReport, registryToShow } from "./plugins_report.ts";

const PLUGIN_REFUSED = 4;

export const command = defineCommand({
  description: `
Loads every plugin and shows what became of it, and what the values of each entry point amount to.
What plugins add is recorded in karotte.plugins.lock.json beside their manifest: with that file in
the repository a fresh clone knows it too, even of a plugin that can't be loaded there.
Exit status: 0 if all of it can be used, 4 if not.`,
  flags: {
    json: { type: "boolean", default: false, help: "Print JSON." },
    ...pluginFlags,
  },
  async run({ flags }, context) {
    const plugins = pluginFlagsOf(flags, context.plugins);
    const { directory } = context;
    const approvals = await approvedByUser({ directory, flags: plugins });
    const registry = await registryToShow(context, plugins, approvals);
    const report = await loadReport(registry);
    await registry.lockOffers();
    printReport(report, flags.json);
    if (report.failures.length === 0) return 0;
    logLine(`${report.failures.length} of what plugins name can't be used`);
    return PLUGIN_REFUSED;
  },
});
