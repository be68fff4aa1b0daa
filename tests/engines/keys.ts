import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { karotte } from "../cli/karotte.ts";
import { KEY, keyHolders, SEARCHING, searchingModel } from "../cli/key_search.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { newRunId } from "../conformance/engine_lab.ts";
import { engineEnvironment } from "./environment.ts";

/** Registers the test that one engine is never told a model's key. */
export async function testKeys(engine: Engine): Promise<void> {
  const here = await engineHere(engine);
  const { caller } = here;

  engineTest(here, "neither container nor image nor client has the model's key", async () => {
    await using environment = await engineEnvironment(here, SEARCHING);
    await environment.writeContainerfile("");
    const built = await environment.karotte("build");
    assertEquals(built.code, 0, built.stderr);
    const [, image = ""] = /^id: (\S+)$/m.exec(built.stdout) ?? [];
    const runId = newRunId();
    const looked: string[] = [];
    let command = 0;
    await using server = searchingModel(async () => {
      assertEquals(keyHolders(), [command]);
      looked.push(await caller.ask("inspect", ["inspect", `karotte_run_${runId}`, image]));
      looked.push(await caller.ask("see the history", ["history", "--no-trunc", image]));
    });
    const model = ["--model", "anthropic/claude-opus-5", "--proxy", server.url];
    const run = ["run", "--task", "probe", "--run-id", runId, "--runtime", engine.name];
    const { code, stdout, stderr } = await karotte([...run, ...model], {
      cwd: environment.path,
      env: { ...caller.variables, ANTHROPIC_API_KEY: KEY },
      onStart: (pid) => command = pid,
    });
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, "step 0: score 1\n");
    assertEquals(looked.length, 4);
    assert(!looked.join().includes(KEY));
  });
}
