import { defineCommand } from "./command.ts";
import { registryOfNames } from "./listed_commands.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";
import { listReport, loadReport, printReport, registryToShow } from "./plugins_report.ts";
import { approvedByUser, manifestStates } from "./project_trust.ts";

const PLUGIN_REFUSED = 4;

export const command = defineCommand({
  description: `
Lists what plugins add: entry point, name, module, version, manifest, and whether you said yes to
what that manifest names (karotte trust). Imports nothing: of a plugin that was never loaded it is
not known what it adds.

With --load everything is loaded: then it shows too whether that worked, and what the values of each
entry point amount to.`,
  flags: {
    load: { type: "boolean", default: false, help: "Load everything." },
    json: { type: "boolean", default: false, help: "Print JSON." },
    ...pluginFlags,
  },
  async run({ flags }, context) {
    const plugins = pluginFlagsOf(flags, context.plugins);
    const { directory, builtins } = context;
    if (!flags.load) {
      const { registry } = await registryOfNames({ directory, plugins, builtins });
      const stateOf = await manifestStates({ directory, flags: plugins });
      printReport(await listReport(registry, stateOf), flags.json);
      return 0;
    }
    const approvals = await approvedByUser({ directory, flags: plugins });
    const report = await loadReport(await registryToShow(context, plugins, approvals));
    printReport(report, flags.json);
    return plugins.strict && report.failures.length > 0 ? PLUGIN_REFUSED : 0;
  },
});
