import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { probeTask } from "../cli/environment.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";

const PLUGIN = `
import { definePlugin } from "@karotte/cli/sdk";
export default definePlugin({
  name: "few_processes",
  entryPoints: { "karotte.container_run_args": { few: () => ["--pids-limit", "100"] } },
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
        "/karotte.plugins.json": JSON.stringify({ plugins: ["./few_processes.ts"] }),
        "/few_processes.ts": PLUGIN,
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
}
