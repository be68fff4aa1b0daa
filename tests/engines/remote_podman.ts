import { assertEquals } from "@std/assert";
import { podmanEngine } from "../../src/runtimes/engine/engines.ts";
import { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { bashResults, bashScript, probeTask } from "../cli/environment.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { podmanService } from "../conformance/engine_remote.ts";
import { engineEnvironment } from "./environment.ts";

/** Says which namespaces could be made. */
const TRY_ALL =
  'for kind in user mount net pid; do unshare "--$kind" true 2>/dev/null && echo "$kind"; done; true';

/** Registers the tests of runs on podman's service, which takes less from its clients. */
export async function testRemotePodman(): Promise<void> {
  const here = await engineHere(podmanEngine);

  engineTest(here, "on a service, neither the student nor a judge makes a namespace", async () => {
    await using service = await podmanService(here.caller.variables);
    const caller = new EngineCaller(podmanEngine, { variables: service.variables });
    await using environment = await engineEnvironment({ ...here, caller }, {
      "fake_model.ts": bashScript(TRY_ALL),
      "tasks/probe.ts": probeTask("new Tries()", {
        before: `
        class Tries extends Judge {
          override async evaluate() {
            const { stdout } = await new Deno.Command("sh", {
              args: ["-c", ${JSON.stringify(TRY_ALL)}],
            }).output();
            return scoring(1, { made: new TextDecoder().decode(stdout) });
          }
        }`,
      }),
    });
    await environment.writeContainerfile("");
    const args = ["run", "--task", "probe", "--fake-model", "--run-id", "r1"];
    const { code, stderr } = await environment.karotte(...args);
    assertEquals(code, 0, stderr);
    const events = await environment.events("r1");
    assertEquals(bashResults(events).map(({ stdout }) => stdout), [""]);
    const scoring = events.find((event) => event.type === "scoring")?.scoring;
    assertEquals(scoring, { score: 1, metadata: { made: "" }, continue_task: true });
  });
}
