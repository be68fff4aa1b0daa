import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { bashResults, bashScript, probeTask } from "../cli/environment.ts";
import { ALIKE, engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";

const RUN = ["run", "--task", "probe", "--fake-model", "--run-id", "r1"];

const PLUGIN = `
  import { definePlugin } from "@karotte/cli/sdk";
  export default definePlugin({ name: "gpu", entryPoints: {
    "karotte.default_hardware": { gpu: "gpu" },
    "karotte.hardware_limits": { gpu: (name) => name === "gpu" ? { passthrough: true } : null },
    "karotte.container_run_args": {
      gpu: (task) => task.required_hardware === "gpu" ? ["--hostname", "gpu-box"] : [],
    },
  } });`;

/** Registers the tests of hardware and of the limits of a sandbox, on one engine. */
export async function testHardware(engine: Engine): Promise<void> {
  const here = await engineHere(engine);

  engineTest(here, "hardware: arguments for the default hardware reach the sandbox", async () => {
    await using environment = await engineEnvironment(here, {
      "/my_plugin.ts": PLUGIN,
      "fake_model.ts": bashScript("hostname"),
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    });
    await environment.writeContainerfile("");
    const { code, stderr } = await environment.karotte(...RUN, "--with", "./my_plugin.ts");
    assertEquals(code, 0, stderr);
    const events = await environment.events("r1");
    assertEquals(bashResults(events).map(({ stdout }) => stdout), ["gpu-box\n"]);
  });

  engineTest(here, "limits: the sandbox's memory is read in it where nobody says it", async () => {
    await using environment = await engineEnvironment(here, {
      "fake_model.ts": bashScript("true"),
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    });
    await environment.writeContainerfile("");
    const { code, stderr } = await environment.karotte(...RUN);
    assertEquals(code, 0, stderr);
    assertStringIncludes(stderr, `by ${engine.name}'s machine, which keeps 1 GiB`);
    const [limits] = (await environment.events("r1"))
      .flatMap((event) => event.type === "student_limits" ? [event.metadata] : []);
    const total = Deno.systemMemoryInfo().total;
    assertEquals(limits?.sandbox_memory_source, "control_group");
    // Of a whole page, in the kernel.
    const lacking = total - 1024 ** 3 - (limits?.sandbox_memory_bytes ?? 0);
    assertEquals(lacking >= 0 && lacking < 65_536, true, JSON.stringify(limits));
  }, ALIKE);
}
