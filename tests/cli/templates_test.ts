import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { bashScript } from "./environment.ts";
import { karotte, ROOT } from "./karotte.ts";

const PACKAGE = `${ROOT}plugins/template_package/mod.js`;

/** A plugin for each name, whose templates are folders with these files. */
async function templatePlugins(plugins: Readonly<Record<string, Record<string, string>>>) {
  const dir = await tempDir();
  const write = async (path: string, content: string) => {
    await Deno.mkdir(dirname(join(dir.path, path)), { recursive: true });
    await Deno.writeTextFile(join(dir.path, path), content);
  };
  for (const [name, files] of Object.entries(plugins)) {
    const entryPoints = `{ "karotte.templates": { ${name}: "./templates" } }`;
    await write(
      `${name}/mod.ts`,
      `export default { name: "${name}", entryPoints: ${entryPoints} };`,
    );
    for (const [path, content] of Object.entries(files)) {
      await write(`${name}/templates/${path}`, content);
    }
  }
  const modules = Object.keys(plugins).map((name) => `./${name}/mod.ts`);
  await write("karotte.plugins.json", JSON.stringify({ plugins: modules }));
  const call = (...args: string[]) => karotte(args, { cwd: dir.path });
  const trusted = await call("trust");
  assertEquals(trusted.code, 0, trusted.stderr);
  return { ...dir, call };
}

const described = (description: string) => JSON.stringify({ description });

Deno.test("a template of a package stacks on the default one, and its task can be solved", async () => {
  await using dir = await tempDir();
  const create = ["create-env", "essays", "--with", PACKAGE, "--template", "word-count"];
  const created = await karotte(create, { cwd: dir.path });
  assertEquals([created.code, created.stderr], [0, ""]);
  const cwd = join(dir.path, "essays");
  const manifest = JSON.parse(await Deno.readTextFile(join(cwd, ".manifest.json")));
  assertEquals([manifest.templates, manifest.extra_deps], [["default", "word-count"], []]);
  assertEquals(manifest.do_not_recreate_if_deleted.includes("student_data/text.txt"), true);
  const note = await Deno.readTextFile(join(cwd, "WORD_COUNT.md"));
  assertStringIncludes(note, "# Words in essays\n");
  const solve = async (command: string) => {
    await Deno.writeTextFile(join(cwd, "src/environment/fake_model.ts"), bashScript(command));
    const { code, stdout } = await karotte(["run", "--task", "word_count", "--fake-model"], {
      cwd,
    });
    return [code, stdout.split("\n")[1]];
  };
  assertEquals(await solve("wc -w < data/text.txt > answer.txt"), [0, "  step 0: score 1"]);
  assertEquals(await solve("ln -s /etc/hostname answer.txt"), [0, "  step 0: score 0"]);
});

Deno.test("karotte templates list shows ours and those of plugins", async () => {
  await using dir = await tempDir();
  const list = (...args: string[]) => karotte(["templates", "list", ...args], { cwd: dir.path });
  const text = await list("--with", PACKAGE);
  assertEquals([text.code, text.stderr], [0, ""]);
  const lines = text.stdout.split("\n");
  assertEquals(lines[0]?.startsWith("default: A working environment"), true);
  assertEquals(lines.slice(1), [
    "word-count: A task about the words of a text, with its judge",
    "  requires default",
    "",
  ]);
  const json = JSON.parse((await list("--json", "--with", PACKAGE)).stdout);
  assertEquals(json[1], {
    id: "word-count",
    description: "A task about the words of a text, with its judge",
    requires: ["default"],
    do_not_recreate_if_deleted: ["student_data/text.txt"],
    requirement: null,
  });
  assertEquals((await list("--with", PACKAGE, "--no-plugins")).stdout, `${lines[0]}\n`);
});

Deno.test("a template of ours is overridden with a warning", async () => {
  await using plugins = await templatePlugins({
    acme: { "default/template.json": described("Bare"), "default/only.txt": "theirs" },
  });
  const { code, stderr } = await plugins.call("create-env", "bare");
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, 'overrides the built-in template "default"');
  const names = [...Deno.readDirSync(join(plugins.path, "bare"))].map(({ name }) => name);
  assertEquals(names.sort(), [".manifest.json", "only.txt"]);
  const { stdout } = await plugins.call("templates", "list");
  assertEquals(stdout, "default: Bare\n");
});

Deno.test("a template that two plugins have is an error that names both", async () => {
  const files = { "essay/template.json": described("An essay") };
  await using plugins = await templatePlugins({ acme: files, other: files });
  const { code, stderr } = await plugins.call("create-env", "essays");
  assertEquals(code, 4);
  assertStringIncludes(stderr, 'which template "essay" is meant');
  for (const name of ["acme", "other"]) assertStringIncludes(stderr, `"./${name}/mod.ts"`);
  await assertRejects(() => Deno.stat(join(plugins.path, "essays")), Deno.errors.NotFound);
  assertEquals((await plugins.call("create-env", "essays", "--no-plugins")).code, 0);
});

Deno.test("a plugin of which a template can't be read is skipped whole, or fatal if strict", async () => {
  await using plugins = await templatePlugins({
    acme: {
      "default/template.json": described("Never used"),
      "essay/template.json": '{ "descripton": "Misspelt" }',
    },
    other: { "poem/template.json": described("A poem") },
  });
  const { code, stdout, stderr } = await plugins.call("templates", "list");
  assertEquals(code, 0);
  assertEquals(stdout.split("\n").map((line) => line.slice(0, 14)), [
    "default: A wor",
    "poem: A poem",
    "",
  ]);
  const skipped = stderr.split("\n").filter((line) => line.includes("is skipped"));
  assertEquals(skipped.length, 1, stderr);
  assertStringIncludes(skipped[0]!, "descripton");
  const missing = await plugins.call("create-env", "essays", "--template", "essay");
  assertEquals(missing.code, 2);
  assertStringIncludes(missing.stderr, 'Cannot use template "essay": not found');
  const strict = await plugins.call("create-env", "essays", "--strict-plugins");
  assertEquals([strict.code, strict.stdout], [4, ""]);
});
