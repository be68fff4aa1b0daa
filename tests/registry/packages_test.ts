import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import * as sdk from "../../src/sdk/mod.ts";
import { refusalOf, tempProject } from "./project.ts";
import { registryTests } from "./registry_tests.ts";

const { registry, test } = await registryTests();

test("a package is loaded in the version that fits", async () => {
  for (const version of ["1.0.0", "1.2.0", "2.0.0"]) {
    await registry().publish({ name: "ranged", version });
  }
  await using project = await tempProject(registry());
  const loaded = await project.load("npm:ranged@^1");
  assertEquals([loaded.version, loaded.namespace.version], ["1.2.0", "1.2.0"]);
  assertEquals(await project.digest("npm:ranged@^1"), loaded.digest);
  const { load } = project;
  assertEquals((await load("npm:ranged", { lockFile: undefined })).version, "2.0.0");
  assertEquals((await load("npm:ranged@latest", { lockFile: undefined })).version, "2.0.0");
  assertEquals(await project.digest("npm:ranged@3"), undefined);
  const refusal = await refusalOf(project.load("npm:ranged@3"));
  assertEquals(refusal.code, "plugin");
  assertStringIncludes(refusal.message, 'Cannot install "npm:ranged@3": no version of "ranged"');
  const gone = await refusalOf(project.load("npm:not-there@1"));
  assertStringIncludes(gone.message, 'Cannot install "npm:not-there@1": no such package');
});

test("a package brings what it needs: CommonJS, scopes, sub-paths and files of its own", async () => {
  await registry().publish({
    name: "@tools/words",
    version: "1.0.0",
    files: {
      "index.js": "exports.words = require('fs').readFileSync(__dirname + '/words.txt', 'utf8');",
      "words.txt": "carrot",
    },
  });
  await registry().publish({
    name: "common",
    version: "1.0.0",
    manifest: {
      dependencies: { "@tools/words": "^1.0.0" },
      exports: { ".": "./main.js", "./compiled": "./compiled.cjs", "./cli": "./cli.mjs" },
    },
    files: {
      "main.js": "module.exports = { words: require('@tools/words').words };",
      "compiled.cjs": 'Object.defineProperty(exports, "__esModule", { value: true });\n' +
        "exports.default = 'compiled';",
      "cli.mjs": "import { words } from '@tools/words';\nexport default words + ' cli';",
    },
  });
  await using project = await tempProject(registry());
  const main = await project.load("npm:common@1");
  assertEquals(main.namespace, { words: "carrot", default: { words: "carrot" } });
  assertEquals((await project.load("npm:common@1/compiled")).namespace.default, "compiled");
  assertEquals((await project.load("npm:common@1/cli")).namespace.default, "carrot cli");
  const scoped = await project.load("npm:@tools/words@^1.0");
  assertEquals([scoped.version, scoped.namespace.words], ["1.0.0", "carrot"]);
  const { message } = await refusalOf(project.load("npm:common@1/gone"));
  assertEquals(message, 'Cannot load "npm:common@1/gone": the package has no "/gone"');
});

test("a package of JSR shares the sdk, which is not installed", async () => {
  await registry().publish({
    name: "@jsr/acme__gpu",
    version: "1.1.0",
    manifest: {
      type: "module",
      dependencies: { "@jsr/karotte__cli": "^0.1.0", "ranged": "^1", "zod": "^4.0.0" },
      exports: { ".": "./mod.js", "./cli": "./cli.js" },
    },
    files: {
      "mod.js": 'export { Task } from "@jsr/karotte__cli/sdk";\nexport { z } from "zod";',
      "cli.js": 'export { version } from "ranged";',
    },
  });
  await registry().publish({ name: "ranged", version: "1.2.0" });
  await registry().publish({ name: "zod", version: "4.1.0" });
  await using project = await tempProject(registry());
  const { namespace, version } = await project.load("jsr:@acme/gpu@1");
  assertEquals([version, namespace.Task, namespace.z], ["1.1.0", sdk.Task, sdk.z]);
  assertEquals((await project.load("jsr:@acme/gpu@1/cli")).namespace.version, "1.2.0");
  const lock = await Deno.readTextFile(project.options.lockFile ?? "");
  assert(!lock.includes("karotte__cli"), lock);
});

test("a package for another Karotte, or another zod, is told from one for this", async () => {
  await registry().publish({
    name: "for-another",
    version: "1.0.0",
    manifest: { peerDependencies: { "@karotte/cli": "^99" } },
  });
  await registry().publish({ name: "zod", version: "3.25.0" });
  await registry().publish({
    name: "old-zod",
    version: "1.0.0",
    manifest: { dependencies: { zod: "^3" } },
    files: { "index.js": "exports.zod = require('zod').version;" },
  });
  await using project = await tempProject(registry());
  const { message } = await refusalOf(project.load("npm:for-another"));
  assertStringIncludes(message, 'it needs "@karotte/cli@^99", and this is Karotte 0.');
  assertEquals((await project.load("npm:old-zod@1")).namespace.zod, "3.25.0");
});

test("a package runs nothing when it is installed, and needs nothing but registries", async () => {
  await registry().publish({
    name: "scripted",
    version: "1.0.0",
    manifest: { scripts: { install: "touch ran", postinstall: "touch ran", prepare: "touch ran" } },
  });
  const dependencies = {
    git: "git+ssh://git@127.0.0.1/x/y.git",
    remote: "http://127.0.0.1:9/x.tgz",
    path: "file:../../../../../etc",
  };
  await using project = await tempProject(registry());
  await project.load("npm:scripted@1");
  const { cacheDirectory } = project.options;
  for (const entry of Deno.readDirSync(join(cacheDirectory, "packages"))) {
    if (!entry.isDirectory) continue;
    const files = [
      ...Deno.readDirSync(join(cacheDirectory, "packages", entry.name, "node_modules")),
    ];
    assert(!files.some(({ name }) => name === "ran"));
  }
  for (const [name, spec] of Object.entries(dependencies)) {
    await registry().publish({
      name: `needs-${name}`,
      version: "1.0.0",
      manifest: { dependencies: { a: spec } },
    });
    const { message } = await refusalOf(project.load(`npm:needs-${name}`));
    assertStringIncludes(message, "depends on something that is not a package of a registry", name);
  }
});

test("a local plugin gets the packages that it imports, in the versions it says", async () => {
  for (const version of ["1.0.0", "1.2.0", "2.0.0"]) {
    await registry().publish({ name: "ranged", version });
  }
  await registry().publish({
    name: "@jsr/acme__words",
    version: "1.0.0",
    files: { "index.js": 'export const words = "jsr";' },
  });
  await using project = await tempProject(registry());
  await project.write("deno.json", '{ "imports": { "ranged": "npm:ranged@^1" } }');
  await project.write(
    "plugin.ts",
    `import { version } from "ranged";
     import { version as other } from "npm:ranged@2";
     import { words } from "jsr:@acme/words@^1";
     export const found = [version, other, words];`,
  );
  const { namespace, version, digest } = await project.load("./plugin.ts");
  assertEquals([namespace.found, version], [["1.2.0", "2.0.0", "jsr"], null]);
  assertEquals(await project.digest("./plugin.ts"), digest);
  const lock = JSON.parse(await Deno.readTextFile(project.options.lockFile ?? ""));
  assertEquals(Object.keys(lock.modules), ["./plugin.ts"]);
  // What its own node_modules has comes first, where the version is right.
  await project.write("node_modules/ranged/package.json", '{ "version": "1.9.0" }');
  await project.write("node_modules/ranged/index.js", 'exports.version = "1.9.0";');
  await project.write(
    "plugin.ts",
    'export * from "ranged"; export { version as v } from "npm:ranged@2";',
  );
  assertEquals((await project.load("./plugin.ts")).namespace.v, "2.0.0");
});
