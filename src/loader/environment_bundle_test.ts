import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../base/process.ts";
import * as sdk from "../sdk/mod.ts";
import { publishSdk } from "../sdk/publish.ts";
import { tempEnvironment } from "../../tests/support/temp_environment.ts";
import { PLAIN_TEXT } from "../../tests/support/plain_text.ts";

publishSdk();

/** What bundles of these tests export: `facts` is what a module found out about itself. */
interface Loaded {
  readonly tasks: Record<string, Record<string, unknown> & { facts: Record<string, unknown> }>;
  readonly tools: Record<string, Record<string, unknown>>;
  readonly fakeModel: Record<string, unknown> | undefined;
}

async function load(entry: string): Promise<Loaded> {
  return await import(pathToFileURL(join(entry, "bundle", "environment.js")).href);
}

async function facts(files: Record<string, string>, name?: string) {
  await using environment = await tempEnvironment(files, name);
  const loaded = await load((await environment.bundle()).directory);
  return loaded.tasks["tasks/main.ts"]?.facts;
}

Deno.test("bundleEnvironment() bundles tasks, tools and the fake model, but no tests", async () => {
  await using environment = await tempEnvironment({
    "src/environment/tasks/one.ts": "export const name = 'one';",
    "src/environment/tasks/one_test.ts": "throw new Error('a test');",
    "src/environment/tasks/_shared.ts": "throw new Error('not a task');",
    "src/environment/tasks/suite/mod.ts": "export { name } from './deep.ts';",
    "src/environment/tasks/suite/deep.ts": "export const name = 'deep';",
    "src/environment/tools/count_words.ts": "export default 1;",
    "src/environment/tools/count_words_test.ts": "throw new Error('a test');",
    "src/environment/fake_model.ts": "export default 2;",
    "src/environment/data/raw.bin": "raw",
  });
  const bundle = await environment.bundle();
  const { tasks, tools, fakeModel } = await load(bundle.directory);
  assertEquals(Object.keys(tasks), ["tasks/one.ts", "tasks/suite/mod.ts"]);
  assertEquals(tasks["tasks/suite/mod.ts"]?.name, "deep");
  assertEquals([tools.count_words?.default, fakeModel?.default], [1, 2]);
  const copied = join(bundle.directory, "environment");
  assertEquals(await Deno.readTextFile(join(copied, "data", "raw.bin")), "raw");
  assert(await Deno.stat(join(copied, "tasks", "one_test.ts")));
});

Deno.test("bundleEnvironment() takes an environment with nothing to load", async () => {
  await using environment = await tempEnvironment({ "src/environment/README.md": "" });
  const { tasks, tools, fakeModel } = await load((await environment.bundle()).directory);
  assertEquals([{ ...tasks }, { ...tools }, fakeModel], [{}, {}, undefined]);
});

Deno.test("bundles share the sdk and zod of the running program, however they are spelled", async () => {
  const found = await facts({
    // With a BOM, CRLF, a comment and a trailing comma.
    "deno.json":
      '\uFEFF{ // config\r\n"imports": {\r\n"@karotte/cli": "jsr:@karotte/cli@^0.1",\r\n' +
      '"zod": "npm:zod@^4",\r\n},\r\n}',
    "src/environment/tasks/main.ts": `
      import * as a from "@karotte/cli/sdk";
      import * as b from "jsr:@karotte/cli@^0.1/sdk";
      import { Task as C } from "npm:@karotte/cli/sdk";
      import { Task as D } from "@jsr/karotte__cli/sdk";
      import zDefault, { z } from "zod";
      import { z as z4 } from "npm:zod@^4.0.0/v4";
      import type { Step } from "@karotte/cli/sdk";
      export class Mine extends a.Task { static id = "mine"; steps: Step[] = []; }
      export const facts = {
        Mine, same: a.Task === b.Task && a.Task === C && C === D, Task: a.Task,
        z, sameZod: z === z4 && z === a.z && z.string === zDefault.string,
      };`,
  });
  const Mine = found?.Mine as { prototype: unknown };
  assert(Mine.prototype instanceof sdk.Task);
  assertEquals([found?.same, found?.sameZod, found?.Task, found?.z], [true, true, sdk.Task, sdk.z]);
});

Deno.test("another zod than ours comes from node_modules, another sdk never does", async () => {
  const found = await facts({
    "deno.json":
      '{ "imports": { "zod": "npm:zod@^3", "@karotte/cli/sdk": "./src/environment/fake_sdk.ts" } }',
    "node_modules/zod/package.json": '{ "version": "3.25.0" }',
    "node_modules/zod/index.js": "exports.version = 3;",
    "src/environment/fake_sdk.ts": "export const Task = 'a copy';",
    "src/environment/tasks/main.ts": `
      import * as zod from "zod";
      import { z } from "npm:zod@4";
      import { Task } from "@karotte/cli/sdk";
      export const facts = { old: zod.version, z, Task };`,
  });
  assertEquals([found?.old, found?.z, found?.Task], [3, sdk.z, sdk.Task]);
});

Deno.test("bundles resolve relative, mapped and data imports", async () => {
  const found = await facts({
    "deno.jsonc": '{ "imports": { "@/": "./src/environment/lib/", "own": "./src/own.ts" } }',
    "src/own.ts": "export default 'own';",
    "src/environment/lib/a b.ts": "export default 'space';",
    "src/environment/lib/mod.ts": "export default 'folder';",
    "src/environment/lib/c.ts": "export default 'c'; // no newline at the end, import.meta",
    "src/environment/tasks/words.json": '\uFEFF{ "word": "Möhre" }',
    "src/environment/tasks/main.ts": `
      import space from "../lib/a%20b.ts";
      import mapped from "@/c.ts";
      import own from "own";
      import folder from "../lib";
      import noExtension from "../lib/c";
      import asJs from "../lib/c.js";
      import words from "./words.json" with { type: "json" };
      import text from "./words.json" with { type: "text" };
      import bytes from "./words.json" with { type: "bytes" };
      import { basename } from "node:path";
      const lazy = (await import("../lib/c.ts")).default;
      export const facts = { space, mapped, own, folder, noExtension, asJs, lazy,
        word: words.word, text, bytes: bytes.length, base: basename("/a/b") };`,
  });
  assertEquals(found, {
    space: "space",
    mapped: "c",
    own: "own",
    folder: "folder",
    noExtension: "c",
    asJs: "c",
    lazy: "c",
    word: "Möhre",
    text: '{ "word": "Möhre" }',
    bytes: 23,
    base: "b",
  });
});

Deno.test("bundles take packages from node_modules as Deno does", async () => {
  const found = await facts({
    "deno.json": '{ "imports": { "dual": "npm:dual@1" } }',
    "node_modules/esm/package.json":
      '{ "type": "module", "exports": { ".": "./main.js", "./sub": "./sub.js" } }',
    "node_modules/esm/main.js": 'import { readFileSync } from "fs";\n' +
      'export const data = readFileSync(new URL("./data.txt", import.meta.url), "utf8");\n' +
      "//# sourceMappingURL=main.js.map",
    "node_modules/esm/data.txt": "data",
    "node_modules/esm/sub.js": "export default 'sub';",
    "node_modules/common/package.json": '{ "main": "./main" }',
    "node_modules/common/main.js": `
      const fs = require("fs");
      let optional;
      try { optional = require("not-there"); } catch { optional = "none"; }
      module.exports = { optional, here: fs.existsSync(__dirname + "/main.js"),
        Task: require("@karotte/cli/sdk").Task };`,
    "node_modules/interop/package.json": "{}",
    "node_modules/interop/index.js":
      'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = 1; exports.x = 2;',
    "node_modules/dual/package.json":
      '{ "exports": { "import": "./main.mjs", "require": "./main.cjs" } }',
    "node_modules/dual/main.mjs": "export default 'esm';",
    "node_modules/dual/main.cjs": "module.exports = 'cjs';",
    "src/environment/tasks/main.ts": `
      import { data } from "npm:esm@^1";
      import sub from "esm/sub";
      import common, { optional } from "common";
      import interop, { x } from "interop";
      import dual from "dual";
      import { Task } from "@karotte/cli/sdk";
      export const facts = { data, sub, optional, here: common.here, interop, x, dual,
        same: common.Task === Task };`,
  });
  assertEquals(found, {
    data: "data",
    sub: "sub",
    optional: "none",
    here: true,
    interop: { default: 1, x: 2 },
    x: 2,
    dual: "esm",
    same: true,
  });
});

Deno.test("import.meta is a module's place beside the bundle, also after a move", async () => {
  await using environment = await tempEnvironment({
    "src/environment/tasks/data.json": '"moved"',
    "src/environment/tasks/main.ts": `
      const { url, dirname, filename, main } = import.meta;
      const data = await Deno.readTextFile(new URL("./data.json", import.meta.url));
      export const facts = { url, dirname, filename, main, data,
        resolved: import.meta.resolve("../x y.ts") };`,
  }, "a # 100% é");
  const { directory } = await environment.bundle();
  const moved = join(environment.cacheDirectory, "moved # 100% é");
  await Deno.rename(directory, moved);
  const folder = join(moved, "environment", "tasks");
  assertEquals((await load(moved)).tasks["tasks/main.ts"]?.facts, {
    url: pathToFileURL(join(folder, "main.ts")).href,
    dirname: folder,
    filename: join(folder, "main.ts"),
    main: false,
    data: '"moved"',
    resolved: pathToFileURL(join(moved, "environment", "x y.ts")).href,
  });
});

Deno.test("each scoring script is a bundle of its own, and its own main module", async () => {
  await using environment = await tempEnvironment({
    "src/environment/scoring/check.ts": "console.log('check', import.meta.main);",
    "src/environment/scoring/deep/other.ts":
      "import '../check.ts'; console.log('other', import.meta.main, import.meta.filename);",
    "src/environment/scoring/check_test.ts": "throw new Error('a test');",
  });
  const { directory } = await environment.bundle();
  const script = join(directory, "bundle", "scoring", "deep", "other.js");
  const argv = [Deno.execPath(), "run", "-A", "--no-config", script];
  const { stdout } = await run(argv, { env: PLAIN_TEXT });
  assertEquals(
    new TextDecoder().decode(stdout),
    `check false\nother true ${join(directory, "environment/scoring/deep/other.ts")}\n`,
  );
  const names = [...Deno.readDirSync(join(directory, "bundle", "scoring"))].map(({ name }) => name);
  assertEquals(names.sort(), ["check.js", "deep"]);
});

Deno.test("stack traces name the author's own lines", async () => {
  await using environment = await tempEnvironment({
    "src/environment/lib/é # 1%.ts": "type A = {\n  a: number;\n};\n\n" +
      "export function fail(): A {\n  throw new Error('from lib');\n}\n",
    "src/environment/scoring/check.ts": 'import { fail } from "../lib/é%20%23%201%25.ts";\n' +
      "interface B {\n  b: string;\n}\n\nawait Promise.resolve();\n  fail();\nimport.meta.url;\n",
  });
  const { directory } = await environment.bundle();
  const script = join(directory, "bundle", "scoring", "check.js");
  const argv = [Deno.execPath(), "run", "-A", "--no-config", script];
  const { stderr } = await run(argv, { env: PLAIN_TEXT });
  const trace = new TextDecoder().decode(stderr);
  assert(trace.includes(`${directory}/environment/lib/`), trace);
  assert(/1%.*\.ts:6:9\b/.test(trace), trace);
  assert(trace.includes("/environment/scoring/check.ts:7:3"), trace);
});

Deno.test("JSX and decorators follow compilerOptions", async () => {
  const found = await facts({
    "deno.json": '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h" } }',
    "src/environment/lib/view.tsx":
      "const h = (tag: string) => `<${tag}>`;\nexport const view = <carrot />;\n",
    "src/environment/tasks/main.ts": `
      import { view } from "../lib/view.tsx";
      function named(value: unknown, context: ClassMethodDecoratorContext) {
        seen = String(context.name); }
      let seen = "";
      class A { @named method() {} accessor x = 1; }
      export const facts = { view, seen, x: new A().x };`,
  });
  assertEquals(found, { view: "<carrot>", seen: "method", x: 1 });
});
