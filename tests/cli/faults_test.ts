import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Child } from "../../src/base/process.ts";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { startKarotte, textOf } from "./karotte.ts";
import { descendants, until, withCommand } from "./processes.ts";

interface Interrupted {
  readonly child: Child;
  /** A number that a `sleep` of the student has as its argument. */
  readonly mark: string;
  readonly path: string;
}

interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly TranscriptEvent[];
}

/**
 * Starts a run, waits until its student sleeps, does something to it, and looks at what is left.
 */
async function disturbed(disturb: (run: Interrupted) => void | Promise<void>): Promise<Ending> {
  const mark = String(100_000_000 + Math.floor(Math.random() * 900_000_000));
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(
      `echo before; setsid sh -c 'trap "" TERM HUP INT; sleep ${mark}' & sleep ${mark}`,
    ),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
  });
  const path = environment.path;
  const args = ["run", "--task", "probe", "--fake-model", "--run-id", "r1"];
  // A host that is killed leaves the sandbox's folder behind: here, where the test removes it.
  const child = startKarotte(args, { cwd: path, env: { TMPDIR: path } });
  const said = Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).bytes(),
  ]);
  try {
    await until("the student sleeps", () => withCommand("sleep", mark).length === 2);
    await disturb({ child, mark, path });
    const { code } = await child.status;
    await until("all of the run is gone", () => withCommand("sleep", mark).length === 0);
    const [stdout, stderr] = (await said).map(textOf);
    return { code, stdout: stdout!, stderr: stderr!, events: await readEvents(path) };
  } finally {
    child.kill("SIGKILL");
    await said;
  }
}

function harnessOf(child: Child): number {
  const found = descendants(child.pid).filter(({ argv }) => argv.at(-1) === "harness");
  const harness = found.at(-1); // the innermost: what starts it has the same words
  assert(harness, "no harness");
  return harness.pid;
}

const lastTypes = (events: readonly TranscriptEvent[], count: number) =>
  events.slice(-count).map(({ type }) => type);

Deno.test("kill -9 of the harness ends the run with an error and what was recorded", async () => {
  const { code, stdout, events } = await disturbed(({ child }) =>
    Deno.kill(harnessOf(child), "SIGKILL")
  );
  assertEquals([code, stdout.split("\n")[0]], [1, "run r1: error"]);
  assertEquals(lastTypes(events, 3), ["tool_call_started", "error", "task_completed"]);
  const error = events.at(-2);
  assertStringIncludes(error?.type === "error" ? error.message : "", 'while it ran tool "bash"');
});

Deno.test("kill -9 of the host leaves no process of the run", async () => {
  const { code, events } = await disturbed(({ child }) => Deno.kill(child.pid, "SIGKILL"));
  assertEquals([code, events], [137, []]);
});

Deno.test("Ctrl-C kills the student, writes the transcript and exits 130", async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const { code, events } = await disturbed(({ child }) => Deno.kill(child.pid, signal));
    assertEquals(code, 130, signal);
    assertEquals(lastTypes(events, 2), ["error", "task_completed"]);
    const error = events.at(-2);
    assertEquals(error?.type === "error" && error.message, `Interrupted by ${signal}`);
  }
});

Deno.test("Ctrl-C twice within a moment ends no differently", async () => {
  const { code, events } = await disturbed(({ child }) => {
    Deno.kill(child.pid, "SIGINT");
    Deno.kill(child.pid, "SIGINT");
  });
  assertEquals(code, 130);
  assertEquals(lastTypes(events, 1), ["task_completed"]);
});
