import { reportError } from "./src/cli/error_report.ts";
import type { CommandTable } from "./src/cli/command_table.ts";
import { runCli } from "./src/cli/frame.ts";
import { commands } from "./src/cli/mod.ts";

/** Runs the command that `argv` names, and ends the process with its exit status if it has one. */
export async function main(argv: readonly string[], table: CommandTable): Promise<void> {
  // Without these Deno itself would print a stack trace.
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    Deno.exit(reportError(event.reason));
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    Deno.exit(reportError(event.error));
  });
  const status = await runCli(argv, table);
  if (status !== undefined) Deno.exit(status);
}

if (import.meta.main) await main(Deno.args, commands);
