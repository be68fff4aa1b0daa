import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { karotte } from "../cli/karotte.ts";
import { makeOwn } from "../support/own_folder.ts";
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

test("plugins update finds out again what plugins add, and a fresh clone knows it", async () => {
  const values = (group: string) => ({
    "index.js": `exports.entries = { "karotte.${group}": { acme: ["A"] } };`,
  });
  const name = "spread-values";
  await registry().publish({ name, version: "1.0.0", files: values("platform_tooling_dirs") });
  await using project = await tempProject(registry());
  const { directory, options: { cacheDirectory } } = project;
  await project.write("karotte.plugins.json", '{ "plugins": ["./acme.ts"] }');
  await project.write(
    "acme.ts",
    `import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";
    import values from "npm:spread-values@1";
    export default definePlugin({ name: "acme", entryPoints: { ...values.entries } });`,
  );
  await makeOwn(directory, directory);
  const call = async (args: string[], cache = cacheDirectory) => {
    const env = { KAROTTE_CACHE: cache, HOME: directory, KAROTTE_PLUGINS: "" };
    const { code, stdout, stderr } = await karotte(args, { cwd: directory, env });
    assertEquals(code, 0, stderr);
    return stdout;
  };
  const groups = async (cache: string) => {
    const { entries, unknown } = JSON.parse(await call(["plugins", "list", "--json"], cache));
    return [entries.map(({ group }: { group: string }) => group), unknown.length];
  };
  await call(["plugins", "update"]);
  const elsewhere = `${cacheDirectory} of a clone`;
  assertEquals(await groups(elsewhere), [["karotte.platform_tooling_dirs"], 0]);
  await registry().publish({ name, version: "1.1.0", files: values("harness_secret_env") });
  assertStringIncludes(await call(["plugins", "update"]), "1.0.0 -> 1.1.0");
  for (const cache of [cacheDirectory, elsewhere]) {
    assertEquals(await groups(cache), [["karotte.harness_secret_env"], 0]);
  }
});
