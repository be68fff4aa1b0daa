import { assertEquals } from "@std/assert";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";

/** The lines of a run on bubblewrap that speak of something that is not used. */
async function unused(files: Readonly<Record<string, string>>): Promise<string[]> {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("true"),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    ...files,
  });
  const { code, stderr } = await environment.run({ KAROTTE_RUNTIME: "bubblewrap" });
  assertEquals(code, 0, stderr);
  return stderr.split("\n").filter((line) => line.includes("is not used"));
}

Deno.test("faults 2.7: on bubblewrap one line says that the Containerfile is not used", async () => {
  const takes = "is not used: bubblewrap takes this machine's programs";
  assertEquals(await unused({ "/Containerfile": "FROM debian\n" }), [`the Containerfile ${takes}`]);
  assertEquals(await unused({ "/Dockerfile": "FROM debian\n" }), [`the Dockerfile ${takes}`]);
  assertEquals(await unused({}), []);
});
