/**
 * Measures what Karotte promises of its speed and size. Ends with status 1 if a target is missed,
 * with 2 if something can't be measured.
 *
 * Usage: deno task bench [--json]
 *
 * `KAROTTE_BINARY` names a compiled program to be measured instead of the source tree.
 */
import { KarotteError, messageOf } from "../src/base/errors.ts";
import { logLine, printLine } from "../src/base/log.ts";
import { onInterrupt } from "../src/cli/interrupt.ts";
import { measureBashEcho } from "./bench/bash_echo.ts";
import { measureExampleRun } from "./bench/example_run.ts";
import { measureHarnessMemory } from "./bench/harness_memory.ts";
import { isMissed, type Measured } from "./bench/measured.ts";
import { measureStartUp } from "./bench/start_up.ts";
import { table } from "./bench/table.ts";

const MEASUREMENTS = [measureStartUp, measureBashEcho, measureExampleRun, measureHarnessMemory];

/** The exit status. */
async function bench(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== "--json")) {
    throw new KarotteError("usage", "Usage: deno task bench [--json]");
  }
  using interrupt = onInterrupt();
  const found: Measured[] = [];
  for (const measure of MEASUREMENTS) found.push(await measure(interrupt.signal));
  const deno = Deno.version.deno;
  const machine = `${Deno.build.target}, ${navigator.hardwareConcurrency} CPUs`;
  if (args.length > 0) {
    const results = found.map((one) => ({ ...one, ok: "value" in one ? !isMissed(one) : null }));
    printLine(JSON.stringify({ deno, machine, results }, undefined, 2));
  } else {
    printLine(`Deno ${deno}, ${machine}\n\n${table(found)}`);
  }
  return found.some(isMissed) ? 1 : 0;
}

try {
  Deno.exitCode = await bench(Deno.args);
} catch (error) {
  if (!(error instanceof KarotteError)) throw error;
  logLine(`error: ${messageOf(error)}`);
  Deno.exitCode = error.code === "interrupted" ? 130 : 2;
}
