/**
 * Measures what Karotte promises of its speed and size. Ends with status 1 if a target is missed,
 * with 2 if something can't be measured.
 *
 * Usage: deno task bench [--json] [--bomb]
 *
 * --bomb measures last how much a run is held up by a fork bomb in another run's sandbox, which
 * takes all of the machine for a minute or two.
 *
 * `KAROTTE_BINARY` names a compiled program to be measured instead of the source tree. Without it
 * the figures of the compiled program alone are those of `dist/karotte`, if `deno task compile`
 * made one.
 */
import { KarotteError, messageOf } from "../src/base/errors.ts";
import { logLine, printLine } from "../src/base/log.ts";
import { onInterrupt } from "../src/cli/interrupt.ts";
import { measureBashEcho } from "./bench/bash_echo.ts";
import { measureBesideBomb } from "./bench/beside_bomb.ts";
import { measureCachedPlugin } from "./bench/cached_plugin.ts";
import { measureCompiledSize, measureCompiledVersion } from "./bench/compiled.ts";
import { measureConcurrentMemory } from "./bench/concurrent_memory.ts";
import { measureEngineRun } from "./bench/engine_run.ts";
import { measureEnvironmentBundle } from "./bench/environment_bundle.ts";
import { measureExampleRun } from "./bench/example_run.ts";
import { measureHarnessMemory } from "./bench/harness_memory.ts";
import { measureIdlePlugins } from "./bench/idle_plugins.ts";
import { isMissed, type Measured } from "./bench/measured.ts";
import { measureRateLimited } from "./bench/rate_limited.ts";
import { significant } from "./bench/samples.ts";
import { measureStartUp } from "./bench/start_up.ts";
import { measureStepEnd } from "./bench/step_end.ts";
import { table } from "./bench/table.ts";

const MEASUREMENTS = [
  measureStartUp,
  measureIdlePlugins,
  measureCachedPlugin,
  measureEnvironmentBundle,
  measureCompiledVersion,
  measureCompiledSize,
  measureBashEcho,
  measureExampleRun,
  measureStepEnd,
  measureEngineRun,
  measureHarnessMemory,
  measureRateLimited,
  measureConcurrentMemory,
];

/** The exit status. */
async function bench(args: readonly string[]): Promise<number> {
  if (args.some((arg) => !["--json", "--bomb"].includes(arg))) {
    throw new KarotteError("usage", "Usage: deno task bench [--json] [--bomb]");
  }
  const measurements = args.includes("--bomb")
    ? [...MEASUREMENTS, measureBesideBomb]
    : MEASUREMENTS;
  using interrupt = onInterrupt();
  // Times on a busy machine say little, and the reader should know.
  const [load = 0] = Deno.loadavg();
  const found: Measured[] = [];
  for (const measure of measurements) found.push(...[await measure(interrupt.signal)].flat());
  const deno = Deno.version.deno;
  const machine = `${Deno.build.target}, ${navigator.hardwareConcurrency} CPUs`;
  if (args.includes("--json")) {
    const results = found.map((one) => ({ ...one, ok: "value" in one ? !isMissed(one) : null }));
    printLine(JSON.stringify({ deno, machine, load, results }, undefined, 2));
  } else {
    printLine(`Deno ${deno}, ${machine}, load ${significant(load)}\n\n${table(found)}`);
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
