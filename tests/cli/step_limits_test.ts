import { assertEquals, assertMatch } from "@std/assert";
import { bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

Deno.test("faults 2.3: what a command would do after its step's end is not done", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("echo early > early; sleep 4; echo late > late", "echo > never"),
    "tasks/probe.ts": probeTask("new Late()", {
      before: `
    class Late extends Judge {
      override async evaluate() {
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        const names = [...Deno.readDirSync("/workdir")].map(({ name }) => name).sort();
        return scoring(0.5, { names: names.join() });
      }
    }`,
    }),
  });
  const config = { step_time_limit_seconds: 2, on_step_time_limit: "score" };
  const args = ["--config", JSON.stringify(config), "--task", "probe", "--run-id", "r1"];
  const { code, stderr } = await karotte(["run", "--fake-model", ...args], {
    cwd: environment.path,
  });
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /step 0 ended at its time limit of 2 seconds, [\d.]+ over it: it is scored/);
  const events = await readEvents(environment.path);
  const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(scores.map(({ score, metadata }) => [score, metadata.names]), [[
    0.5,
    "data,early,shared",
  ]]);
  assertEquals(events.filter(({ type }) => type === "step_limit_reached").length, 1);
});
