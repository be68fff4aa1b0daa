import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../base/temp_dir.ts";
import { publishSdk } from "../sdk/publish.ts";
import { loadEnvironment } from "./environment.ts";

/** Loads what a bundle of this source exports. */
async function load(source: string) {
  publishSdk();
  await using dir = await tempDir("karotte é#%20 ");
  await Deno.mkdir(`${dir.path}/bundle`);
  const head = `const sdk = globalThis[Symbol.for("karotte.sdk")]["/sdk"];
    const task = (id) => class extends sdk.Task { static id = id; };`;
  await Deno.writeTextFile(`${dir.path}/bundle/environment.js`, `${head}\n${source}`);
  return await loadEnvironment(dir.path);
}

Deno.test("an environment has the tasks, tools and fake model of its bundle", async () => {
  const environment = await load(`
    const A = task("a");
    export const tasks = { "tasks/a.ts": { A, again: A, text: "no task" }, "tasks/b.ts": { B: task("b") } };
    const tool = sdk.defineTool({ description: "x", input: sdk.z.object({}), run: () => "" });
    export const tools = { mine: { default: tool } };
    export const fakeModel = { getMessages: () => [] };`);
  assertEquals([...environment.tasks.keys()], ["a", "b"]);
  assertEquals([...environment.tools.keys()], ["mine"]);
  assertEquals(environment.fakeMessages instanceof Function, true);
});

Deno.test("a task without an id, with one too long or taken is refused by file", async () => {
  const tasks = (list: string) => `export const tasks = ${list}; export const tools = {};`;
  for (const id of ['""', "undefined", '"x".repeat(256)', "7"]) {
    await assertRejects(
      () => load(tasks(`{ "tasks/a.ts": { A: task(${id}) } }`)),
      Error,
      "tasks/a.ts",
    );
  }
  await assertRejects(
    () => load(tasks(`{ "tasks/a.ts": { A: task("x") }, "tasks/b.ts": { B: task("x") } }`)),
    Error,
    'tasks/b.ts: task id "x" is taken by tasks/a.ts',
  );
});

Deno.test("a tool file without a tool is refused by name", async () => {
  const source = `export const tasks = {}; export const tools = { mine: { default: () => "" } };`;
  await assertRejects(() => load(source), Error, "tools/mine.ts: expected");
});
