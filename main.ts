import { forgiveConsole } from "./src/base/log.ts";
import { reportError } from "./src/cli/error_report.ts";
import type { CommandTable, FindCommands } from "./src/cli/command.ts";
import { runCli } from "./src/cli/frame.ts";
import { commands } from "./src/cli/mod.ts";
import { isHarnessCommand } from "./src/harness/commands.ts";

/** Kept before plugins run, which get one that refuses. */
const exit: (status: number) => never = Deno.exit;

/** Runs the command that `argv` names, and ends the process with its exit status if it has one. */
export async function main(
  argv: readonly string[],
  table: CommandTable,
  findMore?: FindCommands,
): Promise<void> {
  forgiveConsole();
  // Without these Deno itself would print a stack trace.
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    endUnlessPlugin(event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    endUnlessPlugin(event.error);
  });
  const status = await runCli(argv, table, findMore);
  if (status !== undefined) exit(status);
}

/** A plugin's faults that nobody waits for are warned of; our own end the program. */
async function endUnlessPlugin(fault: unknown): Promise<void> {
  try {
    const { isPluginFault } = await import("./src/plugins/plugin_faults.ts");
    if (!isPluginFault(fault)) exit(reportError(fault));
  } catch {
    // A report that fails would be the next fault that nobody waits for, without end.
    exit(1);
  }
}

const findPluginCommands: FindCommands = async (options) =>
  await (await import("./src/cli/find_plugin_commands.ts")).findPluginCommands(options);

if (import.meta.main) {
  // In a sandbox the compiled program is what the harness's bundle is elsewhere, to the last error.
  if (isHarnessCommand(Deno.args[0])) await import("./src/harness/program.ts");
  else await main(Deno.args, commands, findPluginCommands);
}
