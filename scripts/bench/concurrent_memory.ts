import type { Child } from "../../src/base/process.ts";
import { startKarotte, textOf } from "../../tests/cli/karotte.ts";
import { memoryEnvironment } from "./harness_memory.ts";
import type { Measured } from "./measured.ts";
import { significant } from "./samples.ts";
import { failure, ONLY_LOCAL_PLUGINS } from "./successful.ts";

const HARNESSES = 8;
const LOOK_EVERY_MS = 20;
const ARGS = ["run", "--task", "probe", "--fake-model", "-n", String(HARNESSES)];

/**
 * The peaks of the host and of eight harnesses at once, added up: never less than what they need
 * together, since pages that they share count for each.
 */
export async function measureConcurrentMemory(signal: AbortSignal): Promise<Measured> {
  await using environment = await memoryEnvironment();
  signal.throwIfAborted();
  const child = startKarotte(ARGS, { cwd: environment.path, env: ONLY_LOCAL_PLUGINS });
  const [host, stdout, stderr, { code }] = await Promise.all([
    peakOf(child),
    new Response(child.stdout).bytes().then(textOf),
    new Response(child.stderr).bytes().then(textOf),
    child.status,
  ]);
  if (code !== 0) throw failure("the memory of eight harnesses", { code, stdout, stderr });
  const harnesses = [...stdout.matchAll(/score (\d+)$/gm)].map(([, bytes]) => Number(bytes) / 1e6);
  if (harnesses.length !== HARNESSES) throw new Error(`${harnesses.length} harnesses had a peak`);
  const sum = harnesses.reduce((left, right) => left + right);
  return {
    what: `memory of the host and ${HARNESSES} harnesses at their peaks, each as above`,
    value: host + sum,
    unit: "MB",
    target: 1600,
    detail: `host ${significant(host)} MB, harnesses ${significant(sum)} MB`,
  };
}

/** In MB; the kernel keeps the peak, so only what grows in the last moment is missed. */
async function peakOf(child: Child): Promise<number> {
  let peak = 0;
  let running = true;
  child.status.then(() => running = false);
  while (running) {
    peak = peakNow(child.pid) ?? peak;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return peak * 1024 / 1e6;
}

/** In KiB; undefined: the process has ended. */
function peakNow(pid: number): number | undefined {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    const found = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1];
    return found === undefined ? undefined : Number(found);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
