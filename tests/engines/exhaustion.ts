import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { bashScript, probeTask } from "../cli/environment.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";

/** A plugin that gives containers these arguments. */
const pluginOf = (...args: readonly string[]) => `
import { definePlugin } from "@karotte/cli/sdk";
export default definePlugin({
  name: "little_room",
  entryPoints: { "karotte.container_run_args": { few: () => ${JSON.stringify(args)} } },
});`;

/**
 * A harness that has no room for a thread ends like this, but not in each run at the same place.
 */
const DEADLY_TOOL = `
import { defineTool, z } from "@karotte/cli/sdk";
export default defineTool({
  description: "Ends the harness.",
  input: z.object({}),
  run: () => Deno.exit(1),
});`;

/** What the student does in the run of this id, before the harness dies. */
const COMMANDS = {
  modest: "true",
  greedy: "for i in $(seq 200); do sleep 100 & done 2>/dev/null; true",
};

const FAKE_MODEL = `
const call = (name, input) => ({
  tool_calls: [{ function: { name, arguments: JSON.stringify(input) } }],
});
export const getMessages = ({ run_id }) => [
  call("bash", { command: ${JSON.stringify(COMMANDS)}[run_id] }),
  call("deadly", {}),
  { content: "done" },
];`;

/** Registers the test of runs that use up what their sandbox has, on one engine. */
export async function testExhaustion(engine: Engine): Promise<void> {
  const here = await engineHere(engine);

  engineTest(
    here,
    "a sandbox that dies without a process left scores 0, else it is an error",
    async () => {
      await using environment = await engineEnvironment(here, {
        "/karotte.plugins.json": JSON.stringify({ plugins: ["./little_room.ts"] }),
        "/little_room.ts": pluginOf("--pids-limit", "100"),
        "fake_model.ts": FAKE_MODEL,
        "tools/deadly.ts": DEADLY_TOOL,
        "tasks/probe.ts": probeTask("new AlwaysPassJudge()", {
          fields: 'tools: ["bash", "deadly"],',
        }),
      });
      await environment.writeContainerfile("");
      const run = async (id: string) => {
        const args = ["run", "--task", "probe", "--fake-model", "--run-id", id];
        const { code } = await environment.karotte(...args);
        const [beforeLast, last] = (await environment.events(id)).slice(-2);
        return { code, beforeLast, last };
      };
      const modest = await run("modest");
      assertEquals([modest.code, modest.beforeLast?.type], [1, "error"]);
      const greedy = await run("greedy");
      assertEquals([greedy.code, greedy.beforeLast?.type], [0, "scoring"]);
      const told = JSON.stringify(greedy.beforeLast);
      assertStringIncludes(told, '"score":0,"metadata":{"student_exhausted_sandbox":');
      assertStringIncludes(told, "process limit");
    },
  );

  engineTest(
    here,
    "faults 2.4: a process that is killed for memory is told with its step's score",
    async () => {
      const bytes = 320 * 1024 ** 2;
      await using environment = await engineEnvironment(here, {
        "/karotte.plugins.json": JSON.stringify({ plugins: ["./little_room.ts"] }),
        "/little_room.ts": pluginOf("--memory", `${bytes}`, "--memory-swap", `${bytes}`),
        "fake_model.ts": bashScript(`bash -c 'x=$(head -c 500M /dev/zero | tr "\\0" x)'`),
        "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
      });
      await environment.writeContainerfile("");
      const args = ["run", "--task", "probe", "--fake-model", "--run-id", "r1"];
      const { code, stderr } = await environment.karotte(...args);
      assertEquals(code, 0, stderr);
      const [metrics] = (await environment.events("r1")).flatMap((event) =>
        event.type === "scoring" ? [event.resource_metrics] : []
      );
      assertEquals([metrics?.memory_limit_bytes, metrics?.memory_limit_kills], [bytes, 1], stderr);
      assertEquals(metrics!.avg_cpu_percent > 0 && metrics!.peak_memory_mb > 200, true);
    },
  );
}
