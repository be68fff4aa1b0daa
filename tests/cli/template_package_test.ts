import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { readTemplateFiles } from "../../src/templates/read_template.ts";
import { registryTests } from "../registry/registry_tests.ts";
import { makeOwn } from "../support/own_folder.ts";
import { karotte, ROOT } from "./karotte.ts";

const { registry, test } = await registryTests();

/** Publishes the example as what `npm publish` would send. */
async function publish(version: string): Promise<void> {
  const { "package.json": text = "", ...files } = await readTemplateFiles(
    `${ROOT}plugins/template_package`,
  );
  const { name, version: _, ...manifest } = JSON.parse(text);
  const sent: string[] = manifest.files;
  assertEquals(
    Object.keys(files).filter((path) => !sent.some((each) => `${path}/`.startsWith(`${each}/`))),
    [],
  );
  await registry().publish({ name, version, manifest, files });
}

test("environments from a template package record which release they came from", async () => {
  await publish("1.0.0");
  await publish("1.1.0");
  await using dir = await tempDir();
  await Deno.writeTextFile(join(dir.path, ".npmrc"), `registry=${registry().url}\n`);
  const call = (...args: string[]) =>
    karotte(args, { cwd: dir.path, env: { KAROTTE_CACHE: join(dir.path, "cache") } });
  await makeOwn(dir.path);
  const extraDeps = async (name: string) => {
    const text = await Deno.readTextFile(join(dir.path, name, ".manifest.json"));
    return JSON.parse(text).extra_deps;
  };
  const template = ["--template", "word-count"];

  const withFlag = await call("create-env", "one", "--with", "npm:karotte-word-count", ...template);
  assertEquals(withFlag.code, 0, withFlag.stderr);
  assertEquals(await extraDeps("one"), ["npm:karotte-word-count@1.1.0"]);

  const added = await call("plugins", "add", "npm:karotte-word-count@~1.0");
  assertEquals(added.code, 0, added.stderr);
  assertEquals((await call("trust", "--pin")).code, 0);
  const { stdout } = await call("templates", "list");
  assertStringIncludes(stdout, "with its judge (npm:karotte-word-count@1.0.0)\n  requires default");
  assertEquals((await call("--offline", "create-env", "two", ...template)).code, 0);
  assertEquals(await extraDeps("two"), ["npm:karotte-word-count@1.0.0"]);
  assertEquals((await call("create-env", "three")).code, 0);
  assertEquals(await extraDeps("three"), []);
  const text = await Deno.readTextFile(join(dir.path, "two/src/environment/tasks/word_count.ts"));
  assertStringIncludes(text, 'id: "word_count"');
});

test("single exports of a template package are known by its release too", async () => {
  await publish("1.0.0");
  await registry().publish({
    name: "@acme/templates",
    version: "2.0.1",
    manifest: { type: "module" },
    files: {
      "index.js": 'export const here = new URL("./all/", import.meta.url);',
      "all/essay/template.json": '{ "description": "An essay" }',
    },
  });
  await using dir = await tempDir();
  await Deno.writeTextFile(join(dir.path, ".npmrc"), `registry=${registry().url}\n`);
  const entryPoints = { templates: { acme: "npm:@acme/templates@2#here" } };
  await Deno.writeTextFile(join(dir.path, "karotte.plugins.json"), JSON.stringify({ entryPoints }));
  const env = { KAROTTE_CACHE: join(dir.path, "cache") };
  const trusted = await karotte(["trust"], { cwd: dir.path, env });
  assertEquals(trusted.stderr, 'Installing "npm:@acme/templates@2" (1 package)\n');
  const { stdout } = await karotte(["templates", "list"], { cwd: dir.path, env });
  assertStringIncludes(stdout, "essay: An essay (npm:@acme/templates@2.0.1)\n");
});
