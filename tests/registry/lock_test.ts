import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import process from "node:process";
import { run } from "../../src/base/process.ts";
import { readTarget } from "../../src/loader/module_target.ts";
import { pruneModules, updateModules } from "../../src/loader/update_modules.ts";
import { refusalOf, tempProject } from "./project.ts";
import { registryTests } from "./registry_tests.ts";

const { registry, test } = await registryTests();

const yesterday = () => new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();

test("the lock file holds versions until an update is asked for", async () => {
  await registry().publish({ name: "dep", version: "1.0.0" });
  await registry().publish({
    name: "locked",
    version: "1.0.0",
    manifest: { dependencies: { dep: "^1" } },
    files: { "index.js": "exports.dep = require('dep').version;" },
  });
  await using project = await tempProject(registry());
  await project.load("npm:locked@1");
  const lockFile = project.options.lockFile ?? "";
  const first = await Deno.readTextFile(lockFile);
  const { modules } = JSON.parse(first);
  const { packages, imports } = modules["npm:locked@1"];
  assertEquals(imports, { "npm:locked@1": "locked" });
  assertEquals(Object.keys(packages), ["node_modules/dep", "node_modules/locked"]);
  assert(packages["node_modules/dep"].integrity.startsWith("sha512-"));

  await registry().publish({ name: "dep", version: "1.1.0" });
  await registry().publish({
    name: "locked",
    version: "1.5.0",
    manifest: { dependencies: { dep: "^1" } },
  });
  // On another machine the cache is empty.
  const fresh = { ...project.options, cacheDirectory: join(project.directory, "other cache") };
  const again = await project.load("npm:locked@1", fresh);
  assertEquals([again.version, again.namespace.dep], ["1.0.0", "1.0.0"]);
  assertEquals(await Deno.readTextFile(lockFile), first);
  // A new range that the locked version fits changes nothing else.
  assertEquals((await project.load("npm:locked@^1.0")).version, "1.0.0");
  assertEquals((await project.load("npm:locked@^1.5")).version, "1.5.0");

  const locked = readTarget("npm:locked@1", project.directory);
  assertEquals(await updateModules([locked], project.options), [{
    package: "npm:locked@1",
    from: "1.0.0",
    to: "1.5.0",
  }]);
  assertEquals((await project.load("npm:locked@1")).version, "1.5.0");
  await pruneModules([locked], project.options);
  const pruned = JSON.parse(await Deno.readTextFile(lockFile));
  assertEquals(Object.keys(pruned.modules), ["npm:locked@1"]);
});

test("content that is not what was published, or locked, is refused by name", async () => {
  await registry().publish({ name: "tampered", version: "1.0.0" });
  await registry().publish({ name: "republished", version: "1.0.0" });
  await using project = await tempProject(registry());
  await registry().tamper("tampered", "1.0.0");
  const tampered = await refusalOf(project.load("npm:tampered@1"));
  assertStringIncludes(
    tampered.message,
    'Cannot install "npm:tampered@1": the content of "tampered@1.0.0" differs from',
  );

  await project.load("npm:republished@1");
  await registry().publish({ name: "republished", version: "1.0.0", files: { "index.js": "//" } });
  const fresh = { cacheDirectory: join(project.directory, "other cache") };
  const listeners = process.listenerCount("SIGINT");
  const { message } = await refusalOf(project.load("npm:republished@1", fresh));
  assertStringIncludes(message, 'the content of "republished@1.0.0" differs from what is expected');
  assertEquals(process.listenerCount("SIGINT"), listeners);
});

test("a lock file that can't be used is not overwritten", async () => {
  await registry().publish({ name: "locked", version: "1.0.0" });
  await using project = await tempProject(registry());
  const modules = { "npm:locked@1": { imports: { "npm:locked@1": "../../x" }, packages: {} } };
  for (const text of ["{", '{ "version": 2 }', JSON.stringify({ version: 1, modules })]) {
    await project.write("karotte.plugins.lock.json", text);
    const { message } = await refusalOf(project.load("npm:locked@1"));
    assertStringIncludes(message, `Cannot read the lock file "${project.options.lockFile}": `);
    assertEquals(await Deno.readTextFile(project.options.lockFile ?? ""), text);
  }
});

test("versions must be a week old, but for exempt packages and what is locked", async () => {
  for (const name of ["young", "@jsr/acme__young"]) {
    await registry().publish({ name, version: "1.0.0" });
    await registry().publish({ name, version: "1.1.0", time: yesterday() });
  }
  await registry().publish({ name: "too-young", version: "1.0.0", time: yesterday() });
  await registry().publish({
    name: "needs-young",
    version: "1.0.0",
    manifest: { dependencies: { young: "^1" } },
    files: { "index.js": "exports.young = require('young').version;" },
  });
  await using project = await tempProject(registry());
  const version = async (specifier: string, ageDelayExemptions: string[]) =>
    (await project.load(specifier, { lockFile: undefined, ageDelayExemptions })).version;
  assertEquals(await version("npm:young@^1", []), "1.0.0");
  assertEquals(await version("npm:young@1", ["young"]), "1.1.0");
  assertEquals(await version("jsr:@acme/young@^1", []), "1.0.0");
  assertEquals(await version("jsr:@acme/young@1", ["@acme/young"]), "1.1.0");
  // Naming a package says nothing of what it needs, nor of what needs it.
  const { namespace } = await project.load("npm:needs-young", {
    ageDelayExemptions: ["needs-young"],
  });
  assertEquals(namespace.young, "1.0.0");
  const refusal = await refusalOf(project.load("npm:too-young@1"));
  assertStringIncludes(refusal.message, 'no version of "too-young" that fits "1" is old enough');
  assertStringIncludes(refusal.hint ?? "", "age_delay_exemptions");

  await project.load("npm:young@1.1.0", { ageDelayExemptions: ["young"] });
  const cacheDirectory = join(project.directory, "other cache");
  assertEquals((await project.load("npm:young@1.1.0", { cacheDirectory })).version, "1.1.0");
});

test("offline uses what is installed, and names what is not", async () => {
  await registry().publish({ name: "known", version: "1.0.0" });
  await registry().publish({ name: "unknown", version: "1.0.0" });
  await using project = await tempProject(registry());
  const { digest } = await project.load("npm:known@1");
  await project.write(".npmrc", "registry=http://127.0.0.1:9/");
  assertEquals((await project.load("npm:known@1", { offline: true })).digest, digest);
  const { message, hint } = await refusalOf(project.load("npm:unknown@1", { offline: true }));
  assertStringIncludes(
    message,
    'Cannot install "npm:unknown@1": not installed, and Karotte is off',
  );
  assertEquals(hint, "Run the command once without --offline.");
  // A local plugin says who asks.
  await project.write("plugin.ts", 'import "npm:unknown@1";');
  const local = await refusalOf(project.load("./plugin.ts", { offline: true }));
  assertStringIncludes(local.message, 'Cannot install "npm:unknown@1" for "./plugin.ts": not inst');
});

test("processes that load the same package at once install it once", async () => {
  await registry().publish({ name: "shared", version: "1.0.0" });
  await using project = await tempProject(registry());
  const loader = new URL("../../src/loader/load_module.ts", import.meta.url);
  await project.write(
    "load.ts",
    `
    import { loadModule } from ${JSON.stringify(loader.href)};
    const target = ${JSON.stringify(readTarget("npm:shared@1", project.directory))};
    const { version } = await loadModule(target, ${JSON.stringify(project.options)});
    console.log(version);`,
  );
  const script = ["scripts/deno", "run", "-A", join(project.directory, "load.ts")];
  const cwd = join(import.meta.dirname ?? ".", "..", "..");
  const results = await Promise.all([1, 2, 3].map(() => run(["sh", ...script], { cwd })));
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals(results.map(({ stdout }) => text(stdout)), Array(3).fill("1.0.0\n"));
  const installs = results.filter(({ stderr }) => text(stderr).includes("Installing"));
  assertEquals(installs.length, 1);
  const lock = JSON.parse(await Deno.readTextFile(project.options.lockFile ?? ""));
  assertEquals(Object.keys(lock.modules), ["npm:shared@1"]);
});

test("without a lock file versions are kept for a day, and longer where the registry is down", async () => {
  await registry().publish({ name: "unpinned", version: "1.0.0" });
  await using project = await tempProject(registry());
  const version = async () =>
    (await project.load("npm:unpinned@1", { lockFile: undefined })).version;
  const versions = join(project.options.cacheDirectory, "packages", "versions");
  const age = async () => {
    for (const { name } of Deno.readDirSync(versions)) {
      const before = new Date(Date.now() - 25 * 60 * 60 * 1000);
      await Deno.utime(join(versions, name), before, before);
    }
  };
  assertEquals(await version(), "1.0.0");
  await registry().publish({ name: "unpinned", version: "1.1.0" });
  assertEquals(await version(), "1.0.0");
  await age();
  assertEquals(await version(), "1.1.0");
  await age();
  await registry().publish({ name: "unpinned", version: "1.2.0" });
  await project.write(".npmrc", "registry=http://127.0.0.1:9/");
  assertEquals(await version(), "1.1.0");
});
