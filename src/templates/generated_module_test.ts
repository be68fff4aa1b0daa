import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { fileURLToPath } from "node:url";
import { tempDir } from "../base/temp_dir.ts";
import { GENERATE_COMMAND, generatedModule } from "./generated_module.ts";
import { readTemplateFiles } from "./read_template.ts";

Deno.test("default_files.ts holds the files of default/", async () => {
  const here = new URL("./", import.meta.url);
  const files = await readTemplateFiles(fileURLToPath(new URL("default/", here)));
  const module = await Deno.readTextFile(new URL("default_files.ts", here));
  const isFresh = module === generatedModule("DEFAULT_FILES", files);
  assertEquals(isFresh, true, `default_files.ts is stale, run: ${GENERATE_COMMAND}`);
});

Deno.test("generatedModule() brings every text back as it was", async () => {
  const files = {
    "plain.txt": "a\nb\n",
    "odd `name` ${x}": "`${1 + 1}` \\n \\` \r\n \r \u2028 é \ufeff \0 'x' \"y\"",
    "empty": "",
  };
  const module = generatedModule("FILES", files);
  const { FILES } = await import(`data:text/typescript,${encodeURIComponent(module)}`);
  assertEquals(FILES, files);
});

Deno.test("readTemplateFiles() sorts, and skips what working in the folder leaves", async () => {
  await using dir = await tempDir();
  for (const path of ["b.txt", "a/c.txt", "node_modules/x.js", "deno.lock"]) {
    await Deno.mkdir(join(dir.path, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(dir.path, path), path);
  }
  assertEquals(Object.entries(await readTemplateFiles(dir.path)), [
    ["a/c.txt", "a/c.txt"],
    ["b.txt", "b.txt"],
  ]);
});

Deno.test("readTemplateFiles() refuses links and files that are not text", async () => {
  await using dir = await tempDir();
  await Deno.writeFile(join(dir.path, "image"), new Uint8Array([0xff, 0xfe]));
  await assertRejects(() => readTemplateFiles(dir.path), Error, '"image": not UTF-8 text');
  await Deno.remove(join(dir.path, "image"));
  await Deno.symlink("/etc/passwd", join(dir.path, "link"));
  await assertRejects(() => readTemplateFiles(dir.path), Error, '"link": neither a file');
});
