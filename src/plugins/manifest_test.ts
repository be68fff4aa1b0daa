import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { readTarget } from "../loader/module_target.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { NOWHERE } from "../../tests/support/nowhere.ts";

async function read(text: string): Promise<{ manifest: Manifest; folder: string }> {
  await using dir = await tempDir();
  const path = join(dir.path, "karotte.plugins.json");
  await Deno.writeTextFile(path, text);
  return { manifest: await readManifest(path), folder: dir.path };
}

/** The message without the folder, and the error's code before it. */
async function refusal(text: string): Promise<string> {
  const error = await assertRejects(() => read(text), KarotteError);
  return `${error.code}: ${error.message.replace(/\/\S*\/(?=karotte\.plugins)/, "")}`;
}

Deno.test("readManifest() reads JSON with comments, a byte order mark and CRLF", async () => {
  const { manifest, folder } = await read(
    '\uFEFF// mine\r\n{\r\n  "$schema": "x",\r\n  "strict": true, /* yes */\r\n' +
      '  "plugins": ["./a.ts", "npm:acme@2/sub", "jsr:@a/b@^1",],\r\n' +
      '  "entryPoints": { "chalk.cli": { "t": "../b#1.ts#app" }, "templates": { "t": "/t.ts" } },\r\n}\r\n',
  );
  assertEquals([manifest.strict, manifest.remarks], [true, []]);
  const written = ["./a.ts", "npm:acme@2/sub", "jsr:@a/b@^1"];
  const targets = written.map((text) => readTarget(text, folder));
  assertEquals(targets.map(({ kind }) => kind), ["file", "package", "package"]);
  assertEquals(manifest.modules, targets);
  const [cli, templates] = manifest.entries;
  const target = readTarget("../b#1.ts", folder);
  assertEquals(cli, { target, group: "karotte.cli", name: "t", attribute: "app" });
  assertEquals([templates?.group, templates?.attribute], ["karotte.templates", "default"]);
});

Deno.test("readManifest() says where the text is not as it should be", async () => {
  const cases = {
    '{\n  "plugins": [,]\n}': "2:15: value expected",
    '{ "plugins": ["./a.ts" }': "1:24: comma expected",
    "[]": "1:1: expected an object",
    "": "1:1: value expected",
    '{\r\n "plugins": "./a.ts" }': '2:13: "plugins": expected a list of texts, found "./a.ts"',
    '{ "plugins": [1] }': '1:15: "plugins": expected a text that is not empty, found number',
    '{ "strict": 1 }': '1:13: "strict": expected true or false, found number',
    '{ "entryPoints": [] }': '1:18: "entryPoints": expected an object of groups, found array',
    '{ "entryPoints": { "cli": "x" } }':
      '1:27: "cli": expected an object of "module#attribute" by name, found "x"',
  };
  for (const [text, found] of Object.entries(cases)) {
    assertEquals(await refusal(text), `usage: Cannot read karotte.plugins.json:${found}`);
  }
  const error = await assertRejects(() => readManifest(NOWHERE), KarotteError);
  assertEquals(error.message, `Cannot read plugins "${NOWHERE}": no such file`);
});

Deno.test("readManifest() refuses what can't be a plugin, Python above all", async () => {
  const python = "it is Python, and plugins are JavaScript or TypeScript modules";
  for (const module of ["./a.py", "acme.plugins:app", "acme:app"]) {
    const said = await refusal(`{ "entryPoints": { "cli": { "x": "${module}" } } }`);
    assertStringIncludes(said, `plugin: karotte.plugins.json:1:34: cannot use plugin "${module}"`);
    assertStringIncludes(said, python);
  }
  const error = await assertRejects(() => read('{ "plugins": ["karotte_acme"] }'), KarotteError);
  assertStringIncludes(error.message, "neither a path nor a package of npm: or jsr:");
  assertStringIncludes(String(error.hint), "if it is a Python package, port it");
  assertStringIncludes(await refusal('{ "plugins": ["https://x/y.ts"] }'), "only paths, npm: and");
  assertStringIncludes(await refusal('{ "plugins": ["a.ts"] }'), "not a path");
});

Deno.test("readManifest() remarks on what it ignores", async () => {
  const { manifest } = await read(
    '{ "plugin": [], "strict": false, "strict": true,\n' +
      ' "entryPoints": { "cli": { "x": "./a.ts", "x": "./b.ts" }, "karotte.cli": { "x": "./c.ts" } } }',
  );
  const remarks = manifest.remarks.map((text) => text.replace(/^.*\.json:/, ""));
  assertEquals(remarks, [
    '1:3: unknown field "plugin", ignored; did you mean "plugins"?',
    '1:34: "strict" again: ignored',
    '2:43: "x" of karotte.cli again: ignored',
    '2:77: "x" of karotte.cli again: ignored',
  ]);
  assertEquals(manifest.entries.map(({ target }) => target.written), ["./a.ts"]);
});
