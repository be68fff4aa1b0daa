import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { run } from "../../src/base/process.ts";
import { disturb } from "../cli/disturb.ts";
import { probeTask } from "../cli/environment.ts";
import { textOf } from "../cli/karotte.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { containersOf, newRunId } from "../conformance/engine_lab.ts";
import { engineEnvironment } from "./environment.ts";

/** Registers the tests of `karotte run --prepare-only` on one engine. */
export async function testPrepare(engine: Engine): Promise<void> {
  const here = await engineHere(engine);
  const { caller } = here;

  engineTest(here, "a prepared sandbox is entered as told, and is gone after Ctrl-C", async () => {
    await using environment = await engineEnvironment(here, {
      "/root_data/answer": "42",
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()", {
        fields:
          `preHook: async ({ student }) => { await student.writeFile("/workdir/made", "made"); },`,
      }),
    });
    await environment.writeContainerfile("");
    const runId = newRunId();
    const prepare = ["run", "--task", "probe", "--model", "openai/x", "--prepare-only"];
    const args = [...prepare, "--run-id", runId, "--runtime", engine.name];
    const options = { cwd: environment.path, env: caller.variables };
    const until = ["stdout", `HOME=/workdir karotte_run_${runId} bash\n`] as const;
    const interrupted = await disturb(args, options, {
      until,
      signal: "SIGINT",
      async meanwhile(said) {
        assertStringIncludes(said, `prepared: karotte_run_${runId}\n`);
        const look = "id -u; pwd; cat /workdir/made /root_data/answer; echo $HOME";
        const asRoot = commandOf(said, "root");
        assertEquals(asRoot.slice(1, 3), ["exec", "-it"]);
        assertEquals(await inside(asRoot, look), "0\n/\nmade42/root\n");
        assertEquals(
          await inside(commandOf(said, "the student"), look),
          "1000\n/workdir\nmade/workdir\n",
        );
      },
    });
    assertEquals([interrupted.code, interrupted.stdout], [0, ""]);
    assertEquals(await containersOf(caller, runId), []);
    const killed = await disturb(args, options, {
      until,
      meanwhile: async () => void await caller.ask("kill", ["kill", `karotte_run_${runId}`]),
    });
    assertEquals(killed.code, 1, killed.stderr);
    assertStringIncludes(killed.stderr, "The sandbox died while it ran no step: it was killed");
    assertEquals(await containersOf(caller, runId), []);
    assert(![...Deno.readDirSync(environment.path)].some(({ name }) => name === "out"));

    async function inside(command: readonly string[], script: string): Promise<string> {
      // The tests have no terminal.
      const argv = command.map((word) => word === "-it" ? "-i" : word);
      return textOf((await run([...argv, "-c", script], { env: caller.variables })).stdout);
    }
  });
}

function commandOf(said: string, who: string): string[] {
  return new RegExp(`as ${who}: (.*)\n`).exec(said)?.[1]?.split(" ") ?? [];
}
