/**
 * The program of a sandbox: it knows only the commands of the harness and imports nothing that runs
 * on the host. Bundled into one file where Karotte is not compiled; else a part of the binary.
 */
import { KarotteError, messageOf } from "../base/errors.ts";
import { forgiveConsole, logLine } from "../base/log.ts";
import { isHarnessCommand, runHarnessCommand } from "./commands.ts";

const [command, ...args] = Deno.args;
forgiveConsole();
try {
  if (command === "run") throw withoutHost();
  if (!isHarnessCommand(command)) throw new Error(`unknown command "${command}" in a sandbox`);
  const status = await runHarnessCommand(command, args);
  if (status !== undefined) Deno.exit(status);
} catch (error) {
  for (const line of describeError(error)) logLine(line);
  Deno.exit(1);
}

function withoutHost(): KarotteError {
  return new KarotteError("usage", "Cannot run without a host: this image has the harness only", {
    hint: "build the image with the karotte binary, which is all of Karotte in one file",
  });
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
