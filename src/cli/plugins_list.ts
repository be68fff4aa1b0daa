import { defineCommand } from "./command.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";
import { listReport, loadReport, printReport, registryToShow } from "./plugins_report.ts";

const PLUGIN_REFUSED = 4;

export const command = defineCommand({
  description: `
Lists what plugins add: entry point, name, module, version and manifest. Imports only plugins of
which it is not known what they add, since they are new or have changed.

With --load everything is loaded: then it shows too whether that worked, and what the values of each
entry point amount to.`,
  flags: {
    load: { type: "boolean", default: false, help: "Load everything." },
    json: { type: "boolean", default: false, help: "Print JSON." },
    ...pluginFlags,
  },
  async run({ flags }, context) {
    const plugins = pluginFlagsOf(flags, context.plugins);
    const registry = await registryToShow(context, plugins);
    const report = await (flags.load ? loadReport(registry) : listReport(registry));
    printReport(report, flags.json);
    return plugins.strict && report.failures.length > 0 ? PLUGIN_REFUSED : 0;
  },
});
