import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import * as sdk from "../sdk/mod.ts";
import { loadModule, type LoadModuleOptions, moduleDigest } from "./load_module.ts";
import { readTarget } from "./module_target.ts";

/** A folder with files (content by path), and what loads modules from it. */
async function tempModules(files: Readonly<Record<string, string>>) {
  const folder = await tempDir();
  const directory = join(await Deno.realPath(folder.path), "a # 100% é");
  const write = async (path: string, content: string) => {
    const target = join(directory, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  const options: LoadModuleOptions = {
    baseDirectory: directory,
    cacheDirectory: join(folder.path, "cache"),
    lockFile: undefined,
    offline: true,
    trustsNpmrc: true,
    ageDelayExemptions: [],
  };
  return {
    directory,
    write,
    load: (specifier: string, more: Partial<LoadModuleOptions> = {}) =>
      loadModule(readTarget(specifier, directory), { ...options, ...more }),
    digest: (specifier: string) => moduleDigest(readTarget(specifier, directory), options),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

Deno.test("loadModule() loads a local file with its imports, sharing sdk and zod", async () => {
  await using modules = await tempModules({
    "deno.json": '{ "imports": { "lib/": "./lib/" } }',
    "lib/b.ts": "export const b: number = 2;",
    "plugins/data.json": '{ "answer": 42 }',
    "plugins/a.ts": `
      import { Task, z } from "@karotte/cli/sdk";
      import { z as own } from "npm:zod@^4";
      import { b } from "lib/b.ts";
      export { b, Task };
      export const sameZod = z === own;
      export const meta = import.meta.filename;
      export default JSON.parse(await Deno.readTextFile(new URL("./data.json", import.meta.url)));`,
  });
  const { namespace, version, digest } = await modules.load("./plugins/a.ts");
  assertEquals([namespace.b, namespace.default, version], [2, { answer: 42 }, null]);
  assertEquals([namespace.sameZod, namespace.Task], [true, sdk.Task]);
  const path = join(modules.directory, "plugins", "a.ts");
  assertEquals(namespace.meta, path);
  assertEquals((await modules.load(path)).namespace, namespace);
  assertEquals(await modules.digest(pathToFileURL(path).href), digest);
});

/** Plugins that can't be loaded, and what is said of them after `Cannot load "./plugin.ts": `. */
const FAULTS: Readonly<Record<string, readonly [source: string, says: string]>> = {
  "a syntax error": ["\nexport const a = 1 2;", 'DIR/plugin.ts:2:20: Expected ";"'],
  "a missing file": [
    'import "./gone.ts";',
    'DIR/plugin.ts:1:8: Cannot import "./gone.ts": no such file',
  ],
  "a wrong name": [
    'import { z, nope } from "@karotte/cli/sdk"; nope;',
    'DIR/plugin.ts:1:13: "@karotte/cli/sdk" has no export "nope"',
  ],
  "an sdk of another version": [
    'import "npm:@karotte/cli@99/sdk";',
    'DIR/plugin.ts:1:8: Cannot import "@karotte/cli@99": this is Karotte',
  ],
  "a package that nothing explains": [
    'import "left-pad";',
    'DIR/plugin.ts:1:8: Cannot import the package "left-pad": not installed',
  ],
  "a missing export": [
    'import { gone } from "./lib.ts"; gone;',
    'DIR/plugin.ts:1:10: No matching export in "DIR/lib.ts" for import "gone"',
  ],
  "an error": ['\n  throw new TypeError("boom");', "DIR/plugin.ts:2:9: boom"],
  "an error further down": ['import { fail } from "./lib.ts";\nfail();', "DIR/lib.ts:3:31: deep"],
  "a rejection": ['await Promise.reject(new Error("late"));', "DIR/plugin.ts:1:22: late"],
  "a string": ['throw "text";', "text"],
  "nothing": ["throw undefined;", "undefined"],
  "an object without text": ["throw Object.create(null);", "an error that can't be shown"],
};

/** Deno 2.6 itself panics when a module throws such an error. */
const TRAPS: typeof FAULTS = Deno.version.deno.startsWith("2.6.") ? {} : {
  "an error with traps": [
    'throw Object.defineProperty(new Error(), "message", { get() { throw 1; } });',
    "DIR/plugin.ts:1:29: an error that can't be shown",
  ],
};

for (const [name, [source, says]] of Object.entries({ ...FAULTS, ...TRAPS })) {
  Deno.test(`loadModule() refuses ${name}`, async () => {
    await using modules = await tempModules({
      "plugin.ts": source,
      "lib.ts":
        "export const here = 1;\nexport function fail() {\n  if (here as number) { throw new Error('deep'); }\n}",
    });
    const error = await assertRejects(() => modules.load("./plugin.ts"), KarotteError);
    assertEquals(error.code, "plugin");
    const shown = error.message.replaceAll(modules.directory, "DIR");
    assertStringIncludes(shown, `Cannot load "./plugin.ts": ${says}`);
  });
}

Deno.test("loadModule() says why nothing can be loaded from a target", async () => {
  await using modules = await tempModules({ "data.txt": "", "folder.ts/x": "" });
  const cases: readonly [specifier: string, says: string, hint?: string][] = [
    ["./gone.ts", "no such file"],
    ["./folder.ts", "not a file"],
    ["./data.txt/x.ts", "no such file"],
    ["./data.txt", "not a JavaScript or TypeScript file"],
    ["./no_extension", "not a JavaScript or TypeScript file", "Files end in .ts"],
    ["https://example.com/x.ts", "only paths, npm: and jsr: are loaded"],
    ["npm:", "not the name of a package"],
    ["jsr:unscoped", "not the name of a package", "Write jsr:@SCOPE/NAME"],
    ["npm:x@file:y", "not a version or a range"],
  ];
  for (const [specifier, says, hint = ""] of cases) {
    const error = await assertRejects(() => modules.load(specifier), KarotteError);
    assertEquals([error.message, error.code], [`Cannot load "${specifier}": ${says}`, "plugin"]);
    assertStringIncludes(error.hint ?? "", hint);
  }
});

Deno.test("loadModule() gives the place of what is wrong in the plugin's deno.json", async () => {
  await using modules = await tempModules({ "deno.json": "{", "deep/plugin.ts": "" });
  const error = await assertRejects(() => modules.load("./deep/plugin.ts"), KarotteError);
  assertEquals(error.code, "plugin");
  assertStringIncludes(error.message, "deno.json:1:2: ");
});

Deno.test("loadModule() notices every change, and moduleDigest() never guesses", async () => {
  await using modules = await tempModules({
    "plugin.ts": 'import { a } from "lib";\nexport default a;',
    "lib.ts": "export const a = 1;",
    "deno.json": '{ "imports": { "lib": "./lib.ts" } }',
  });
  assertEquals(await modules.digest("./plugin.ts"), undefined);
  const first = await modules.load("./plugin.ts");
  assertEquals(await modules.digest("./plugin.ts"), first.digest);
  await modules.write("lib.ts", "export const a = 2;");
  assertEquals(await modules.digest("./plugin.ts"), undefined);
  const second = await modules.load("./plugin.ts");
  assertEquals([first.namespace.default, second.namespace.default], [1, 2]);
  await modules.write("other.ts", "export const a = 3;");
  await modules.write("deno.json", '{ "imports": { "lib": "./other.ts" } }');
  assertEquals((await modules.load("./plugin.ts")).namespace.default, 3);
  await modules.write("deno.json", '{ "imports": { "lib": "./lib.ts" } }');
  assertEquals((await modules.load("./plugin.ts")).digest, second.digest);
});

Deno.test("loadModule() loads CommonJS, JSX and what a link leads to", async () => {
  await using modules = await tempModules({
    "common.cjs": "module.exports = { a: 1, here: __filename, b: require('./b.js') };",
    "b.js": "exports.b = 2;",
    "plain.js": "module.exports = 5;",
    "view.tsx": "/** @jsx h */\nconst h = (tag: string) => tag;\nexport default <carrot />;",
  });
  const { directory } = modules;
  const { namespace } = await modules.load("./common.cjs");
  assertEquals([namespace.a, namespace.b], [1, { b: 2 }]);
  assertEquals(namespace.here, join(directory, "common.cjs"));
  assertEquals((await modules.load("./plain.js")).namespace, { default: 5 });
  assertEquals((await modules.load("./view.tsx")).namespace.default, "carrot");
  await Deno.symlink("view.tsx", join(directory, "link.ts"));
  assertEquals((await modules.load("./link.ts")).namespace.default, "carrot");
});
