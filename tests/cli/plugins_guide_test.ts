import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ALL_ENTRY_POINTS } from "../../src/entry_points/all.ts";
import { type TempDir, tempDir } from "../../src/base/temp_dir.ts";
import type { PluginReport } from "../../src/cli/plugins_report.ts";
import { codeBlocks, writeFiles } from "../docs/markdown_blocks.ts";
import { makeOwn } from "../support/own_folder.ts";
import { karotte, ROOT } from "./karotte.ts";

const GUIDE = `${ROOT}plugins/README.md`;

/** A folder with all files of the guide but its manifest, and flags that load its plugins. */
async function guideFolder(): Promise<TempDir & { all: string[] }> {
  const dir = await tempDir();
  const blocks = (await codeBlocks(GUIDE)).filter(({ language }) => language !== "jsonc");
  const plugins = await writeFiles(blocks, dir.path, "ts");
  return { ...dir, all: plugins.flatMap((path) => ["--with", path]) };
}

async function check(cwd: string, ...args: string[]): Promise<PluginReport> {
  const { code, stdout, stderr } = await karotte(["plugins", "check", "--json", ...args], { cwd });
  assertEquals([code, stderr], [0, ""]);
  return JSON.parse(stdout);
}

Deno.test("karotte plugins guide prints the guide", async () => {
  const { code, stdout } = await karotte(["plugins", "guide"], { cwd: "/" });
  assertEquals([code, stdout], [0, await Deno.readTextFile(GUIDE)]);
});

Deno.test("all plugins of the guide load, and there is one for each entry point", async () => {
  await using folder = await guideFolder();
  const { entries, merged } = await check(folder.path, "--strict-plugins", ...folder.all);
  assertEquals(entries.filter(({ outcome }) => outcome !== "loaded"), []);
  const groups = new Set<string>(entries.map(({ group }) => group));
  assertEquals([...groups].sort(), ALL_ENTRY_POINTS.map(({ group }) => group).sort());
  assertEquals(merged?.["karotte.harness_secret_env"], ["ACME_PASSWORD", "ACME_TOKEN"]);
  assertEquals(merged?.["karotte.run_config_preprocessors"], ["acme", "house_rules", "my_plugin"]);
});

Deno.test("the manifest of the guide loads what it names", async () => {
  await using dir = await tempDir();
  await writeFiles(await codeBlocks(GUIDE), dir.path, "ts");
  await makeOwn(dir.path);
  const { entries } = await check(dir.path, "--strict-plugins");
  const modules = new Set(entries.map(({ module, outcome }) => `${module} ${outcome}`));
  assertEquals([...modules].sort(), [
    "./machines.ts loaded",
    "./my_plugin.ts loaded",
    "./site.ts#TOOLING loaded",
  ]);
});

Deno.test("the command and the template of the guide do what it says", async () => {
  await using folder = await guideFolder();
  const call = (...args: string[]) => karotte([...folder.all, ...args], { cwd: folder.path });
  assertEquals((await call("hello", "Ann")).stdout, "Hello, Ann!\n");
  const usage = await call("hello");
  assertEquals([usage.code, usage.stderr], [2, "usage: karotte hello NAME\n"]);
  const created = await call("create-env", "essays", "--template", "essay");
  assertEquals(created.code, 0, created.stderr);
  const manifest = JSON.parse(await Deno.readTextFile(`${folder.path}/essays/.manifest.json`));
  assertEquals(manifest.templates, ["default", "essay"]);
});

Deno.test("the commands of the guide exist, and have the flags that it gives them", async () => {
  const blocks = (await codeBlocks(GUIDE)).filter(({ language }) => language === "sh");
  const lines = blocks.flatMap(({ code }) => code.trim().split("\n"));
  assert(lines.length >= 8);
  for (const line of lines) {
    const words = line.replace(/^karotte (--\w+ )*/, "").split(" ");
    const path = words.slice(0, /^(plugins|templates) /.test(words.join(" ")) ? 2 : 1);
    const { code, stdout } = await karotte([...path, "--help"], { cwd: ROOT });
    assertEquals(code, 0, line);
    assertStringIncludes(stdout, `Usage: karotte ${path.join(" ")}`);
    for (const flag of line.match(/--[a-z-]+/g) ?? []) assertStringIncludes(stdout, flag, line);
  }
});

Deno.test("the packages of the guide are what is in the folder of examples", async () => {
  const packages = (await codeBlocks(GUIDE)).filter(({ language }) => language === "json")
    .map(({ code }) => JSON.parse(code));
  const npm = JSON.parse(await Deno.readTextFile(`${ROOT}plugins/template_package/package.json`));
  assertEquals(packages.find(({ name }) => name === npm.name), npm);
  const jsr = packages.find(({ name }) => name?.startsWith("@acme/"));
  const files = (await codeBlocks(GUIDE)).map(({ file }) => `./${file}`);
  assert(files.includes(jsr.exports), jsr.exports);
});
