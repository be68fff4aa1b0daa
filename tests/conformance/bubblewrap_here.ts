import { run } from "../../src/base/process.ts";
import { KarotteError } from "../../src/base/errors.ts";
import { bubblewrap, type BubblewrapOptions } from "../../src/runtimes/bubblewrap.ts";
import type { Variation } from "./behaviour.ts";
import type { Launcher } from "../../src/runtimes/bubblewrap/namespace_entry.ts";
import type { Runtime } from "../../src/runtimes/runtime.ts";

/** Names the launcher in the inner runs of these tests, as a plain user. */
export const LAUNCHER_VARIABLE = "KAROTTE_TEST_LAUNCHER";
// Written by bubblewrap_test.ts, which knows no other values.
const launcher = Deno.env.get(LAUNCHER_VARIABLE) as Launcher | undefined;

/** How the runtime is called in the names of tests. */
export const NAME = launcher === undefined ? "bubblewrap" : `bubblewrap by ${launcher}`;

/** Of two launchers for a plain user one is tried whole. */
export const VARIATION: Variation | undefined = launcher === "bwrap" ? "launcher" : undefined;

/** The runtime as it is tested in this process. */
export function runtime(options: BubblewrapOptions = {}): Runtime {
  return bubblewrap({
    warn: () => {},
    ...options,
    ...(launcher === undefined ? {} : { launcher }),
  });
}

/** Why bubblewrap can't be tested here; undefined: it can. */
export const missing: string | undefined = await reason();

async function reason(): Promise<string | undefined> {
  try {
    return await bubblewrap().probe() === undefined ? "bwrap is not installed" : undefined;
  } catch (error) {
    if (error instanceof KarotteError) return error.message;
    throw error;
  }
}

/** A test that is visibly ignored where bubblewrap is missing, or for the reason that is given. */
export function bubblewrapTest(
  name: string,
  fn: (test: Deno.TestContext) => Promise<void>,
  unless?: string,
): void {
  const why = missing ?? unless;
  const shown = why === undefined ? `${NAME} ${name}` : `${NAME} ${name} (ignored: ${why})`;
  Deno.test({ name: shown, ignore: why !== undefined, fn });
}

/** The argv of a Karotte host of its own that runs `script` in a sandbox (`launch_once.ts`). */
export function launchOnce(
  script: string,
  folders: { environment: string; private: string; scratch: string },
): string[] {
  const program = new URL("launch_once.ts", import.meta.url).pathname;
  const places = [folders.environment, folders.private, folders.scratch];
  return [Deno.execPath(), ...RUN, program, script, ...places, launcher ?? ""];
}

/** How `deno` runs a program of this repository. */
export const RUN = ["run", "--allow-all", "--no-check", "--no-lock"];

/** The pid of the bwrap on the host's side of the sandbox that `pid` is in. */
export async function outerBwrap(pid: number): Promise<number> {
  let [current, bwrap] = [pid, 0];
  while (current > 1) {
    const { stdout } = await run(["ps", "-o", "ppid=,comm=", "-p", String(current)]);
    const [parent, name] = new TextDecoder().decode(stdout).trim().split(/\s+/);
    if (name === "bwrap") bwrap = current;
    current = Number(parent ?? 0);
  }
  return bwrap;
}
