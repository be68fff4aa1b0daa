import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../base/temp_dir.ts";
import { namesEntry, namesGroup, readModuleText } from "./module_text.ts";

async function read(files: Readonly<Record<string, string>>) {
  await using dir = await tempDir();
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(dir.path, name), text);
  }
  return readModuleText(join(dir.path, "a.ts"));
}

const SECRETS = "karotte.harness_secret_env";

Deno.test("a group is found in each spelling, as a key or a string, whatever is broken around it", async () => {
  for (
    const text of [
      'export default { "karotte.harness_secret_env": { ',
      "'chalk.harness_secret_env' : {",
      "entryPoints: { harness_secret_env: {} } }}}",
      "const harness_secret_env = [",
      "{ cli, harness_secret_env }",
      "const GROUP = `karotte.harness_secret_env`;",
      "get harness_secret_env() {",
    ]
  ) {
    assertEquals(namesGroup(await read({ "a.ts": text }), SECRETS), true, text);
  }
  for (
    const text of [
      "",
      '"my.harness_secret_env": 1',
      "not_harness_secret_env: 1",
      "harness_secret_envy: 1",
      'import "./harness_secret_env.ts";',
      "if (harness_secret_env == 1) x.harness_secret_env = 1;",
    ]
  ) {
    assertEquals(namesGroup(await read({ "a.ts": text }), SECRETS), false, text);
  }
});

Deno.test("an entry is found where both its group and its name are", async () => {
  const text = await read({
    "a.ts": `import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";
      export default definePlugin({ name: "acme", entryPoints: { cli: { tool: app, "b-c": app } } });`,
  });
  for (const name of ["tool", "b-c"]) assertEquals(namesEntry(text, "karotte.cli", name), true);
  for (const name of ["", "too", "app2", "b", "sdk"]) {
    assertEquals(namesEntry(text, "karotte.cli", name), false, name);
  }
  assertEquals(namesEntry(text, "karotte.templates", "tool"), false);
  assertEquals(text.hasMore, false);
});

Deno.test("local imports are read as well, once, in whichever way they are written", async () => {
  const text = await read({
    "a.ts": `import { b } from "./b.js";
      export * from './c%20d.ts'; const e = await import("./e"); require("./f");`,
    "b.ts": 'import "./a.ts"; // one',
    "c d.ts": "// two",
    "e.mts": "// three",
    "f.json": '{ "harness_secret_env": {} }',
  });
  assertEquals([text.texts.length, text.hasMore], [5, false]);
  assertEquals(namesGroup(text, SECRETS), true);
});

Deno.test("it is told where more than the texts that can be read may decide", async () => {
  const hasMore = async (text: string) => (await read({ "a.ts": text })).hasMore;
  assertEquals(await hasMore('import x from "./gone.ts";'), true);
  assertEquals(await hasMore("import(`./${name}.ts`)"), true);
  assertEquals(await hasMore('import x from "npm:acme"; export default { ...x };'), true);
  assertEquals(await hasMore('import { readFile } from "node:fs"; ({ ...x });'), false);
  assertEquals(readModuleText("/nowhere/a.ts"), { texts: [], hasMore: true, isMixed: false });
  assertEquals(readModuleText("/dev/zero"), { texts: [], hasMore: true, isMixed: false });
});

Deno.test("it is told where values of a package may be among the entry points", async () => {
  const isMixed = async (text: string) => (await read({ "a.ts": text })).isMixed;
  const own = "export default definePlugin({ entryPoints: { cli: {} } });";
  for (
    const text of [
      `import { entryPoints } from "npm:acme"; ${own} ({ ...entryPoints })`,
      `import acme from "npm:acme"; ${own} Object.assign(mine, acme)`,
      `import { GROUP } from "npm:acme"; ${own} ({ [GROUP]: {} })`,
      `import { GROUP } from "npm:acme"; ${own} mine[GROUP] = {};`,
      'import acme from "npm:acme"; export default acme; // cli: see there',
      'export { default } from "jsr:@acme/plugin";',
    ]
  ) {
    assertEquals(await isMixed(text), true, text);
  }
  for (
    const text of [
      `import { greet } from "npm:acme"; ${own}`,
      'import { greet } from "npm:acme"; const entryPoints: EntryPoints = { cli: { greet } };',
      "export default { ...mine, [GROUP]: {} };",
      'import mine from "./a.ts"; export default { ...mine };',
    ]
  ) {
    assertEquals(await isMixed(text), false, text);
  }
});
