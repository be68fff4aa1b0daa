/**
 * The program of a sandbox: it knows only the commands of the harness and imports nothing that runs
 * on the host. Bundled into one file where Karotte is not compiled; else a part of the binary.
 */
import { messageOf } from "../base/errors.ts";
import { logLine } from "../base/log.ts";
import { isHarnessCommand, runHarnessCommand } from "./commands.ts";

const [command, ...args] = Deno.args;
try {
  if (!isHarnessCommand(command)) throw new Error(`unknown command "${command}" in a sandbox`);
  const status = await runHarnessCommand(command, args);
  if (status !== undefined) Deno.exit(status);
} catch (error) {
  logLine(error instanceof Error ? error.stack ?? messageOf(error) : messageOf(error));
  Deno.exit(1);
}
