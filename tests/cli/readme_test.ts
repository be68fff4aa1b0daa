import { assertEquals } from "@std/assert";
import { testEnvironment } from "./environment.ts";
import { karotte, ROOT } from "./karotte.ts";

/** The code blocks of the README that say which file they are, by that name. */
async function filesOfReadme(): Promise<Record<string, string>> {
  const text = await Deno.readTextFile(`${ROOT}README.md`);
  const blocks = text.matchAll(/^```ts\n\/\/ src\/environment\/([\w/]+\.ts)\b[^]*?^```$/gm);
  return Object.fromEntries(
    [...blocks].map(([block, name]) => [name, block.replace(/^```.*$/gm, "")]),
  );
}

Deno.test("the README's task, script and fake model score 1", async () => {
  const files = await filesOfReadme();
  assertEquals(Object.keys(files), [
    "tasks/greet.ts",
    "scoring/check_hello.ts",
    "fake_model.ts",
  ]);
  await using environment = await testEnvironment(files);
  const args = ["run", "--task", "greet", "--fake-model", "--run-id", "r1"];
  const { code, stdout, stderr } = await karotte(args, { cwd: environment.path });
  assertEquals(code, 0, stderr);
  assertEquals(stdout.split("\n").slice(0, 2), ["run r1: passed", "  step 0: score 1"]);
});

Deno.test("the README is short enough to be read", async () => {
  const lines = (await Deno.readTextFile(`${ROOT}README.md`)).split("\n");
  assertEquals(lines.length < 200, true);
});
