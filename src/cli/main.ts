import { forgiveConsole } from "../base/log.ts";
import type { CommandTable, FindCommands } from "./command.ts";
import { reportError } from "./error_report.ts";
import { runCli } from "./frame.ts";
import { commands } from "./mod.ts";

/** What `main` needs of the process, and what commands there are. */
export interface MainOptions {
  /** Ends the process. */
  readonly exit: (status: number) => never;
  /** Absent: the commands of `karotte`, and those of plugins. */
  readonly table?: CommandTable;
}

/** Runs the command that `argv` names, and ends the process with its exit status if it has one. */
export async function main(
  argv: readonly string[],
  { exit, table }: MainOptions,
): Promise<void> {
  forgiveConsole();
  // Without these Deno itself would print a stack trace.
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    endUnlessPlugin(event.reason, exit);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    endUnlessPlugin(event.error, exit);
  });
  const status = table === undefined
    ? await runCli(argv, commands, findPluginCommands)
    : await runCli(argv, table);
  if (status !== undefined) exit(status);
}

/** Ends the program for a fault that nobody waited for; one of a plugin is warned of. */
async function endUnlessPlugin(fault: unknown, exit: MainOptions["exit"]): Promise<void> {
  try {
    const { isPluginFault } = await import("../plugins/plugin_faults.ts");
    if (!isPluginFault(fault)) exit(reportError(fault));
  } catch {
    // A report that fails would be the next fault that nobody waits for, without end.
    exit(1);
  }
}

const findPluginCommands: FindCommands = async (options) =>
  await (await import("./find_plugin_commands.ts")).findPluginCommands(options);
