import { assert, assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { spawn } from "../../src/base/process.ts";
import type { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { currentOwner } from "../../src/runtimes/owner.ts";
import type { Runtime, Sandbox } from "../../src/runtimes/runtime.ts";
import type { Behaviour } from "./behaviour.ts";
import { RUN } from "./bubblewrap_here.ts";
import { BASE_IMAGE } from "./engine_here.ts";
import { containersOf, launchShell, newRunId, say } from "./engine_lab.ts";
import { eventually, finish, waitFor } from "./lab.ts";
import { sample } from "../support/sample.ts";

export interface EngineBehaviour extends Pick<Behaviour, "name" | "differs"> {
  test(runtime: Runtime, caller: EngineCaller): Promise<void>;
}

export const KEPT_STAYS = "a container that is to be kept stays when its sandbox is disposed";
export const ARGUMENTS_STAND_LAST = "arguments for the engine stand after Karotte's own";

/** What containers add to `BEHAVIOURS`: other programs see them, name them and end them. */
export const ENGINE_BEHAVIOURS: readonly EngineBehaviour[] = [
  {
    name: "an image that is not there is told, and nothing is left",
    differs: ["product"],
    async test(runtime, caller) {
      const runId = newRunId();
      await using sandbox = await launchShell(runtime, {
        runId,
        content: { kind: "image", id: "karotte/no-such:1" },
      });
      const error = await assertRejects(() => sandbox.status, KarotteError, "image is not there");
      assert(error.hint?.includes("karotte build"), error.hint);
      assertEquals(await containersOf(caller, runId), []);
      await drained(sandbox);
    },
  },
  {
    name: "a run that is running already is refused with its process, and goes on",
    differs: ["product"],
    async test(runtime, caller) {
      const runId = newRunId();
      await using first = await launchShell(runtime, { runId });
      await say(first, "echo ready\n");
      await waitFor(first.stdout, "ready");
      {
        await using second = await launchShell(runtime, { runId });
        await assertRejects(() => second.status, KarotteError, `process ${Deno.pid} on`);
        await drained(second);
      }
      assertEquals(await containersOf(caller, runId), [`karotte_run_${runId}`]);
      await say(first, "exit 4\n");
      assertEquals((await first.status).code, 4);
      await drained(first);
    },
  },
  {
    name: "somebody else's container of the same name is refused and left alone",
    differs: ["product"],
    async test(runtime, caller) {
      const runId = newRunId();
      const name = `karotte_run_${runId}`;
      await caller.ask("create", ["create", "--name", name, BASE_IMAGE, "true"]);
      try {
        await using sandbox = await launchShell(runtime, { runId });
        await assertRejects(() => sandbox.status, KarotteError, "it is not Karotte's");
        await drained(sandbox);
        assertEquals((await caller.call(["inspect", name])).code, 0);
      } finally {
        await caller.ask("remove", ["rm", "-f", name]);
      }
    },
  },
  {
    name: "disposal at any moment of the start leaves nothing",
    differs: ["product"],
    async test(runtime, caller) {
      for (const milliseconds of sample([0, 30, 60, 100, 150, 220, 300], 3)) {
        const runId = newRunId();
        const sandbox = await launchShell(runtime, { runId });
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        await sandbox[Symbol.asyncDispose]();
        assertEquals(await containersOf(caller, runId), [], `after ${milliseconds} ms`);
      }
    },
  },
  {
    name: "a host that is killed leaves no container",
    differs: ["remote", "product"],
    async test(_, caller) {
      const runId = newRunId();
      const program = new URL("engine_once.ts", import.meta.url).pathname;
      const host = spawn([Deno.execPath(), ...RUN, program, caller.engine.name, runId], {
        env: caller.variables,
      });
      const log = new Response(host.stderr).text();
      await waitFor(host.stdout, "ready");
      assertEquals(await containersOf(caller, runId), [`karotte_run_${runId}`]);
      Deno.kill(host.pid, "SIGKILL");
      await Promise.all([host.status, log, host.stdout.cancel()]);
      assert(await eventually(async () => (await containersOf(caller, runId)).length === 0));
    },
  },
  {
    name: "a container that is killed or removed from outside is told as such",
    differs: ["product"],
    async test(runtime, caller) {
      for (const [args, cause] of [[["kill"], "killed"], [["rm", "-f"], "from outside"]] as const) {
        const runId = newRunId();
        await using sandbox = await launchShell(runtime, { runId });
        await say(sandbox, "echo ready\n");
        await waitFor(sandbox.stdout, "ready");
        await caller.ask("end", [...args, `karotte_run_${runId}`]);
        const status = await sandbox.status;
        // Podman asks it to end first.
        assert([137, 143].includes(status.code) && !status.exhausted, JSON.stringify(status));
        assert(status.cause?.includes(cause), status.cause);
        await drained(sandbox);
      }
    },
  },
  {
    name: "leftovers are what has our labels and a dead owner, and was not to be kept",
    differs: ["product"],
    async test(runtime, caller) {
      const dead = { ...currentOwner(), start_time: "1" };
      const left = await leave(caller, dead);
      const other = await leave(caller, { ...dead, host: "elsewhere" });
      const live = await leave(caller, currentOwner());
      const kept = await leave(caller, dead, ["--label", "karotte.kept=1"]);
      const foreign = await leave(caller, { pid: 1 });
      const runIds = [left, other, live, kept, foreign];
      const there = async () => {
        const names = await Promise.all(runIds.map((runId) => containersOf(caller, runId)));
        return names.map(({ length }) => length);
      };
      try {
        assertEquals(await runtime.removeLeftovers({ runIds: [other, live, kept, foreign] }), 0);
        assertEquals(await runtime.removeLeftovers({ runIds }), 1);
        assertEquals(await there(), [0, 1, 1, 1, 1]);
        assertEquals(await runtime.removeLeftovers({ runIds, kept: true }), 1);
        assertEquals(await there(), [0, 1, 1, 0, 1]);
      } finally {
        const names = runIds.map((runId) => `karotte_run_${runId}`);
        for (const name of names) await caller.call(["rm", "-f", name]);
      }
    },
  },
  {
    name: KEPT_STAYS,
    differs: ["remote", "product"],
    async test(runtime, caller) {
      const runId = newRunId();
      const name = `karotte_run_${runId}`;
      try {
        {
          await using sandbox = await launchShell(runtime, { runId, keep: true });
          await finish(sandbox, "echo 42 > /answer\n");
        }
        assertEquals(await containersOf(caller, runId), [name]);
        const { code } = await caller.call(["cp", `${name}:/answer`, "-"]);
        assertEquals(code, 0);
      } finally {
        await caller.ask("remove", ["rm", "-f", name]);
      }
    },
  },
  {
    name: ARGUMENTS_STAND_LAST,
    async test(runtime) {
      const given = ["--hostname", "other", "--env", "KAROTTE_TEST=é #1"];
      await using sandbox = await launchShell(runtime, { arguments: given });
      assertEquals((await finish(sandbox, "hostname; echo $KAROTTE_TEST\n")).out, "other\né #1\n");
    },
  },
];

/** A container of a run that its owner has left; returns the run's id. */
async function leave(
  caller: EngineCaller,
  owner: Readonly<Record<string, unknown>>,
  more: readonly string[] = [],
): Promise<string> {
  const runId = newRunId();
  const labels = [`karotte.run_id=${runId}`, `karotte.owner=${JSON.stringify(owner)}`];
  const options = [
    "--name",
    `karotte_run_${runId}`,
    ...labels.flatMap((each) => ["--label", each]),
  ];
  await caller.ask("create", ["create", ...options, ...more, BASE_IMAGE, "true"]);
  return runId;
}

/** Ends the streams that a test does not look at, as whoever has a sandbox must. */
async function drained(sandbox: Sandbox): Promise<void> {
  await Promise.all([sandbox.stdout.cancel(), new Response(sandbox.stderr).text()]);
}
