import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { karotte } from "../cli/karotte.ts";
import { tempProject } from "./project.ts";
import { registryTests } from "./registry_tests.ts";

const { registry, test } = await registryTests();

test("tasks list and check install packages as flags and trusted plugins have it", async () => {
  const time = new Date().toISOString();
  await registry().publish({ name: "fresh", version: "1.0.0", time });
  await using project = await tempProject(registry());
  const { directory, options: { cacheDirectory } } = project;
  await project.write("deno.json", '{ "imports": { "fresh": "npm:fresh@^1" } }');
  await project.write(
    "src/environment/tasks/probe.ts",
    `import "fresh";
    import { AlwaysPassJudge, createTask } from "jsr:@karotte/cli@^0.1/sdk";
    export default createTask({ id: "probe", tools: [], systemPrompt: null,
      steps: [{ instructions: "Go.", judge: new AlwaysPassJudge() }] });`,
  );
  await project.write("karotte.plugins.json", '{ "plugins": ["./acme.ts"] }');
  await project.write(
    "acme.ts",
    `import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";
    console.error("acme is loaded");
    export default definePlugin({
      name: "acme",
      entryPoints: { "karotte.age_delay_exemptions": { acme: ["fresh"] } },
    });`,
  );
  const env = { KAROTTE_CACHE: cacheDirectory, HOME: directory, KAROTTE_PLUGINS: "" };
  const call = (...args: string[]) => karotte(args, { cwd: directory, env });
  for (const command of [["tasks", "list"], ["check"]]) {
    const { code, stderr } = await call(...command);
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, 'no version of "fresh" that fits "^1" is old enough');
    assert(!stderr.includes("acme is loaded"), stderr);
  }
  const named = ["--plugins", "karotte.plugins.json"];
  for (const command of [["tasks", "list"], ["check"]]) {
    const { code, stderr } = await call(...command, "--offline", ...named);
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, "Karotte is offline");
  }
  const listed = await call("tasks", "list", ...named);
  assertEquals([listed.code, listed.stdout], [0, 'Tasks:\n  "probe"\n'], listed.stderr);
  const checked = await call("--offline", "check");
  assertEquals(checked.code, 0, checked.stderr);
});
