import { fromFileUrl } from "@std/path";
import { KarotteError } from "../../src/base/errors.ts";
import { run } from "../../src/base/process.ts";
import { tempEnvironment } from "../../tests/support/temp_environment.ts";
import type { Measured } from "./measured.ts";
import { SAMPLE_ENVIRONMENT } from "./sample_environment.ts";
import { median, spread } from "./samples.ts";

const ROUNDS = 7;

const FILES = Object.keys(SAMPLE_ENVIRONMENT).filter((path) => path.startsWith("src/")).length;

/** As `scripts/karotte` starts the program. */
const DENO = [
  ...["sh", fromFileUrl(new URL("../deno", import.meta.url)), "run", "--allow-all", "--no-prompt"],
  ...["--quiet", "--node-modules-dir=manual", "--v8-flags=--liftoff-only"],
];
const PROBE = fromFileUrl(new URL("time_of_bundle.ts", import.meta.url));

/**
 * Bundling an environment in a new process, the import of the bundler included: with an empty
 * cache, and from the cache. The source tree's bundler, whichever program the others measure.
 */
export async function measureEnvironmentBundle(signal: AbortSignal): Promise<Measured[]> {
  await using environment = await tempEnvironment(SAMPLE_ENVIRONMENT);
  const { directory, cacheDirectory } = environment;
  const cold: number[] = [];
  const cached: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    // The first round only warms up what is no cache of ours.
    const [first, second] = round === 0 ? [[], []] : [cold, cached];
    const cache = `${cacheDirectory}_${round}`;
    first.push(await milliseconds([directory, cache], signal));
    second.push(await milliseconds([directory, cache], signal));
  }
  const figure = (what: string, times: readonly number[], target: number): Measured => ({
    what: `${what} of an environment of ${FILES} files`,
    value: median(times),
    unit: "ms",
    target,
    detail: spread(times, "ms"),
  });
  return [figure("cold bundle", cold, 700), figure("cached bundle", cached, 70)];
}

async function milliseconds(args: readonly string[], signal: AbortSignal): Promise<number> {
  const result = await run([...DENO, PROBE, ...args], {
    env: { NO_COLOR: "1", KAROTTE_DENO: Deno.execPath() },
    signal,
  });
  signal.throwIfAborted();
  const [stdout, stderr] = [result.stdout, result.stderr].map((bytes) =>
    new TextDecoder().decode(bytes).trim()
  );
  if (result.code === 0) return Number.parseFloat(stdout!);
  throw new KarotteError("run", `Cannot measure the bundler: ${stderr}`);
}
