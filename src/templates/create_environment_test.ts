import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { VERSION } from "../base/version.ts";
import { createEnvironment } from "./create_environment.ts";
import type { Template } from "./template.ts";

/** A template of which the second file can't be written. */
const BROKEN: Template = {
  id: "broken",
  description: "",
  requires: [],
  do_not_recreate_if_deleted: [],
  files: { "a": "a file", "a/b": "not a folder" },
};

function namesIn(directory: string): string[] {
  return [...Deno.readDirSync(directory)].map((entry) => entry.name).sort();
}

/** Paths of all files below a folder. */
function* walk(directory: string): Generator<string> {
  for (const entry of Deno.readDirSync(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory) yield* walk(path);
    else yield path;
  }
}

function assertRefused(promise: Promise<void>, message: string): Promise<KarotteError> {
  return assertRejects(() => promise, KarotteError, message);
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(path));
}

Deno.test("createEnvironment() makes missing parents and writes rendered and plain files", async () => {
  await using dir = await tempDir();
  const directory = join(dir.path, "a/b/garden");
  await createEnvironment({ directory });
  const config = await readJson(join(directory, "deno.json"));
  assertEquals(config["name"], "garden");
  assertEquals(config["imports"], { "@karotte/cli/sdk": `jsr:@karotte/cli@^${VERSION}/sdk` });
  assertEquals("links" in config, false);
  assertStringIncludes(await Deno.readTextFile(join(directory, "README.md")), "# garden\n");
  assertStringIncludes(await Deno.readTextFile(join(directory, ".gitignore")), "/out/\n");
  const names = namesIn(directory);
  assertEquals(names.filter((name) => name.endsWith(".njk") || name === "template.json"), []);
  for (const data of ["student_data", "shared_data", "root_data", "intermediate_data"]) {
    assertEquals(names.includes(data), true, data);
  }
});

Deno.test("createEnvironment() records what the environment was made from", async () => {
  await using dir = await tempDir();
  await createEnvironment({ directory: join(dir.path, "garden") });
  const text = await Deno.readTextFile(join(dir.path, "garden/.manifest.json"));
  const { do_not_recreate_if_deleted, ...manifest } = JSON.parse(text);
  assertEquals(manifest, {
    karotte_version: VERSION,
    templates: ["default"],
    agents: [],
    extra_deps: [],
  });
  assertEquals(do_not_recreate_if_deleted, [...do_not_recreate_if_deleted].sort());
  assertEquals(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
});

Deno.test("createEnvironment() stacks templates: what is required first, later files win", async () => {
  await using dir = await tempDir();
  const directory = join(dir.path, "garden");
  const template = { description: "", requires: [], do_not_recreate_if_deleted: [] };
  await createEnvironment({
    directory,
    templates: ["top"],
    installed: [
      { ...template, id: "top", requires: ["base"], files: { "one.txt.njk": "{{ templates }}" } },
      { ...template, id: "base", files: { "one.txt": "base", "two.txt": "base" } },
    ],
  });
  assertEquals(await Deno.readTextFile(join(directory, "one.txt")), "base,top");
  assertEquals(await Deno.readTextFile(join(directory, "two.txt")), "base");
});

Deno.test("createEnvironment() refuses what exists, and leaves it as it is", async () => {
  await using dir = await tempDir();
  const directory = join(dir.path, "taken");
  await Deno.mkdir(directory);
  const error = await assertRefused(createEnvironment({ directory }), "it exists already");
  assertEquals(error.code, "usage");
  assertEquals(namesIn(directory), []);

  const file = join(dir.path, "file");
  await Deno.writeTextFile(file, "mine");
  await assertRefused(createEnvironment({ directory: file }), "it exists already");
  assertEquals(await Deno.readTextFile(file), "mine");

  const link = join(dir.path, "link");
  await Deno.symlink("nowhere", link);
  await assertRefused(createEnvironment({ directory: link }), "it exists already");
  assertEquals(await Deno.readLink(link), "nowhere");
});

Deno.test("createEnvironment() removes after a failure what it created, and no more", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(join(dir.path, "mine"));
  const directory = join(dir.path, "mine/a/b/garden");
  const creation = createEnvironment({ directory, templates: ["broken"], installed: [BROKEN] });
  await assertRefused(creation, `Cannot write "${directory}/a/b"`);
  assertEquals(namesIn(dir.path), ["mine"]);
  assertEquals(namesIn(join(dir.path, "mine")), []);
});

Deno.test("createEnvironment() creates nothing for a template that is missing or broken", async () => {
  await using dir = await tempDir();
  const directory = join(dir.path, "a/garden");
  await assertRefused(createEnvironment({ directory, templates: ["none"] }), '"none": not found');
  const installed = [{ ...BROKEN, files: { "a.njk": "{{ unknown }}" } }];
  const creation = createEnvironment({ directory, templates: ["broken"], installed });
  await assertRefused(creation, 'Cannot render template file "broken/a.njk"');
  assertEquals(namesIn(dir.path), []);
});

Deno.test("createEnvironment() cleans up when it is interrupted between two files", async () => {
  await using dir = await tempDir();
  let written = 0;
  // Cast: a signal that is aborted once the first file is there, at exactly that moment.
  const signal = {
    throwIfAborted() {
      written = [...walk(dir.path)].length;
      if (written > 0) throw new Error("interrupted");
    },
  } as AbortSignal;
  const creation = createEnvironment({
    directory: join(dir.path, "a/garden"),
    templates: ["broken"],
    installed: [BROKEN],
    signal,
  });
  await assertRejects(() => creation, Error, "interrupted");
  assertEquals(written, 1);
  assertEquals(namesIn(dir.path), []);
});

Deno.test("createEnvironment() copes with odd folder names", async () => {
  await using dir = await tempDir();
  for (const name of ["my garden", "Gärten", "a#b%20c", '"{{ 1 + 1 }}"', "..x", "日本"]) {
    const directory = join(dir.path, name);
    await createEnvironment({ directory, sourceTree: directory });
    const config = await readJson(join(directory, "deno.json"));
    assertEquals(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(String(config["name"])), true, name);
    const [link] = config["links"] as string[];
    assertEquals(decodeURIComponent(new URL(link ?? "").pathname), `${directory}/`);
    const readme = await Deno.readTextFile(join(directory, "README.md"));
    assertStringIncludes(readme, `# ${name}\n`);
  }
});

Deno.test("createEnvironment() refuses names that look like options or can't be shown", async () => {
  await using dir = await tempDir();
  for (const name of ["-x", "--help", "a\nb", "a\u001b[31m"]) {
    await assertRefused(createEnvironment({ directory: join(dir.path, name) }), "its name ");
  }
  assertEquals(namesIn(dir.path), []);
});

Deno.test("createEnvironment() says why a place can't be written", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(join(dir.path, "file"), "");
  const creation = createEnvironment({ directory: join(dir.path, "file/garden") });
  await assertRefused(creation, "Not a directory");
  // The one folder that root can't write to on any Linux.
  const refused = createEnvironment({ directory: "/sys/karotte_test/garden" });
  const error = await assertRefused(
    refused,
    'Cannot create environment "/sys/karotte_test/garden"',
  );
  assertEquals(error.hint, "Choose a place where you may create folders.");
});
