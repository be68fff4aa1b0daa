import { assert, assertEquals } from "@std/assert";
import { run } from "../../base/process.ts";
import { listProcesses } from "../../base/process_table.ts";
import { attendBuilder } from "./attended_builder.ts";

/** A builder that leaves its step to itself when it is interrupted; resolves to the step's pid. */
async function build(interrupt: boolean): Promise<number> {
  const controller = new AbortController();
  const attended = attendBuilder(controller.signal);
  const step = Promise.withResolvers<number>();
  const building = run(
    ["sh", "-c", 'setsid sh -c "echo \\$\\$; exec sleep 600" & trap "exit 1" HUP; wait'],
    {
      signal: controller.signal,
      stopSignal: "SIGHUP",
      onSpawn: attended.started,
      onOutput: (_stream, bytes) => step.resolve(Number(new TextDecoder().decode(bytes))),
      ...(interrupt ? {} : { timeoutMs: 200 }),
    },
  );
  const pid = await step.promise;
  if (interrupt) controller.abort();
  await building;
  attended.ended();
  return pid;
}

function isAlive(pid: number): boolean {
  return listProcesses().some((entry) => entry.pid === pid && entry.state !== "Z");
}

Deno.test("the step of an interrupted build ends with it", async () => {
  const pid = await build(true);
  for (let look = 0; look < 100 && isAlive(pid); look++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert(!isAlive(pid), "the step goes on");
});

Deno.test("what a build that was not interrupted left behind is none of our business", async () => {
  const pid = await build(false);
  assertEquals(isAlive(pid), true);
  Deno.kill(pid, "SIGKILL");
});
