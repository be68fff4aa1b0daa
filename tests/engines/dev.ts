import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { bashResults, bashScript, probeTask } from "../cli/environment.ts";
import { ALIKE, engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";

const RUN = ["run", "--dev", "--task", "probe", "--fake-model", "--run-id"];

/** Scores what the file beside it says, and tells what lies in the private folder. */
const CHECK = `
  const folder = "/opt/karotte/private";
  const expected = await Deno.readTextFile(new URL("expected.txt", import.meta.url));
  const names = [...Deno.readDirSync(folder + "/environment")].map(({ name }) => name).sort();
  const mode = ((await Deno.stat(folder)).mode & 0o777).toString(8);
  const metadata = { names: names.join(), mode };
  await Deno.writeTextFile(Deno.args[0], JSON.stringify({ score: Number(expected), metadata }));`;

/** Registers the tests of `karotte run --dev` on one engine. */
export async function testDev(engine: Engine): Promise<void> {
  const here = await engineHere(engine);
  const { caller } = here;

  engineTest(
    here,
    "--dev runs today's code in the last image, and says what it leaves",
    async () => {
      await using environment = await engineEnvironment(here, {
        "/student_data/task.txt": "old data",
        "fake_model.ts": bashScript("echo old"),
        "old.ts": "export const old = true;",
        "scoring/check.ts": CHECK,
        "scoring/expected.txt": "0.25",
        "tasks/probe.ts": probeTask(`new ExecutableJudge({ script: "scoring/check.ts" })`),
      });
      await environment.writeContainerfile("RUN echo old > /built");
      const without = await environment.karotte(...RUN, "r0");
      assertEquals([without.code, without.stdout], [2, ""]);
      assertStringIncludes(
        without.stderr,
        `: ${engine.name} has none\nhint: Build one: karotte build --runtime ${engine.name}\n`,
      );

      assertEquals((await environment.karotte("build")).code, 0);
      await environment.write(
        "fake_model.ts",
        bashScript("cat /built data/task.txt; ls /opt/karotte/private"),
      );
      await environment.write("scoring/expected.txt", "0.75");
      await Deno.remove(`${environment.path}/src/environment/old.ts`);
      const same = await environment.karotte(...RUN, "r1");
      assertEquals(same.code, 0, same.stderr);
      assert(!same.stderr.includes("not picked up"), same.stderr);
      const events = await environment.events("r1");
      const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
      assertEquals(verdict?.score, 0.75);
      assertEquals([verdict?.metadata.names, verdict?.metadata.mode], [
        "fake_model.ts,scoring,tasks",
        "700",
      ]);

      await environment.write("/student_data/task.txt", "new data");
      await environment.writeContainerfile("RUN echo new > /built");
      const changed = await environment.karotte(...RUN, "r2", "-n", "2");
      assertEquals(changed.code, 0, changed.stderr);
      assertStringIncludes(
        changed.stderr,
        "dev: not picked up, changed since the image was built: the Containerfile, the data directories\n",
      );
      const [result] = bashResults(await environment.events("r2_1")).map((each) =>
        JSON.stringify(each)
      );
      assertStringIncludes(result ?? "", "old\\nold data");
      assertStringIncludes(result ?? "", "Permission denied");
      const left = ["ps", "--all", "--quiet", "--filter", "label=karotte.run_id=r2-0"];
      assertEquals(await caller.ask("list", left), "");
    },
    ALIKE,
  );

  engineTest(here, "--dev takes what was built last, not what was made last", async () => {
    await using environment = await engineEnvironment(here, {
      "fake_model.ts": bashScript("cat /workdir/data/task.txt"),
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    });
    await environment.writeContainerfile("");
    for (const text of ["one", "two", "one"]) {
      await environment.write("/student_data/task.txt", text);
      assertEquals((await environment.karotte("build")).code, 0);
    }
    const { code, stderr } = await environment.karotte(...RUN, "r1");
    assertEquals(code, 0, stderr);
    assert(!stderr.includes("not picked up"), stderr);
    const [result] = bashResults(await environment.events("r1")).map((each) =>
      JSON.stringify(each)
    );
    assertStringIncludes(result ?? "", "one");
  });
}
