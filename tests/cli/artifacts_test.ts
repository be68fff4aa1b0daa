import { assertEquals, assertStringIncludes } from "@std/assert";
import { bashScript, testEnvironment } from "./environment.ts";

Deno.test("faults 2.5: no artifact of a run is lost, and a sparse one costs nothing", async () => {
  const make = `mkdir -p a b kept && echo 1 > a/x.txt && echo 2 > b/x.txt &&
    echo 3 > kept/$'caf\\xe9' && truncate -s 100G kept/disk`;
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(make),
    "tasks/probe.ts": `
      import { AlwaysPassJudge, createTask } from "@karotte/cli/sdk";
      export default createTask({
        id: "probe",
        tools: ["bash"],
        systemPrompt: null,
        steps: [{
          instructions: "Go.",
          judge: new AlwaysPassJudge(),
          async preScoringHook({ saveArtifact }) {
            for (const path of ["a/x.txt", "b/x.txt", "kept"]) {
              await saveArtifact("/workdir/" + path);
            }
          },
        }],
      });`,
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const folder = `${environment.path}/out/r1_artifacts`;
  const textOf = (name: string) => Deno.readTextFile(`${folder}/${name}`);
  assertEquals(
    [await textOf("x.txt"), await textOf("x.2.txt"), await textOf("kept/caf\\xe9")],
    ["1\n", "2\n", "3\n"],
  );
  const { size, blocks } = await Deno.stat(`${folder}/kept/disk`);
  assertEquals([size, blocks], [100 * 1024 ** 3, 0]);
  const warnings = events.flatMap((event) =>
    event.type === "warning" ? [event.metadata.warning] : []
  );
  assertEquals(warnings.length, 2);
  assertStringIncludes(
    warnings.join(),
    'Artifact "x.txt": there is one already, kept as "x.2.txt"',
  );
  assertStringIncludes(stderr, 'warning: Artifact "x.txt": there is one already');
});
