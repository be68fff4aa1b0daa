/**
 * The program of a sandbox: it knows only the commands of the harness and imports nothing that runs
 * on the host. Bundled into one file where Karotte is not compiled; else a part of the binary.
 */
import { KarotteError, messageOf } from "../base/errors.ts";
import { logLine } from "../base/log.ts";
import { isHarnessCommand, runHarnessCommand } from "./commands.ts";

const [command, ...args] = Deno.args;
try {
  if (!isHarnessCommand(command)) throw new Error(`unknown command "${command}" in a sandbox`);
  const status = await runHarnessCommand(command, args);
  if (status !== undefined) Deno.exit(status);
} catch (error) {
  for (const line of describeError(error)) logLine(line);
  Deno.exit(1);
}

function describeError(error: unknown): string[] {
  if (error instanceof KarotteError) {
    return [
      `error: ${error.message}`,
      ...(error.hint === undefined ? [] : [`hint: ${error.hint}`]),
    ];
  }
  return [error instanceof Error ? error.stack ?? messageOf(error) : messageOf(error)];
}
