import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { addModules, removeNamed } from "./edit_manifest.ts";

async function edited<Result>(
  text: string | undefined,
  edit: (path: string) => Promise<Result>,
): Promise<{ text: string; result: Result }> {
  await using dir = await tempDir();
  const path = join(dir.path, "folder", "karotte.plugins.json");
  if (text !== undefined) {
    await Deno.mkdir(join(dir.path, "folder"));
    await Deno.writeTextFile(path, text);
  }
  const result = await edit(path);
  return { text: await Deno.readTextFile(path), result };
}

const COMMENTED = `// mine
{
  "plugins": [
    "./a.ts", // the first
    // about b
    "npm:b@1" // the last
  ],
  "entryPoints": {
    "cli": { "x": "./x.ts#app", "y": "./y.ts" }
  }
}
`;

Deno.test("addModules() makes the file, and adds what is not there", async () => {
  const made = await edited(undefined, (path) => addModules(path, ["./a.ts", "./a.ts"]));
  assertEquals(made.result, ["./a.ts"]);
  assertEquals(JSON.parse(made.text), { plugins: ["./a.ts"] });
  const bare = await edited("{\r\n}\r\n", (path) => addModules(path, ["npm:a", "npm:b"]));
  assertEquals(JSON.parse(bare.text), { plugins: ["npm:a", "npm:b"] });
  assertEquals(/(?<!\r)\n/.test(bare.text), false);
  const more = await edited(COMMENTED, (path) => addModules(path, ["npm:b@1", "npm:c"]));
  assertEquals(more.result, ["npm:c"]);
  for (const kept of ["// mine", "// the first", "// about b", "// the last", '"npm:c"']) {
    assertEquals(more.text.includes(kept), true, more.text);
  }
});

Deno.test("removeNamed() takes out items and leaves every comment", async () => {
  const { text, result } = await edited(
    COMMENTED,
    (path) => removeNamed(path, ({ module, entry }) => module === "npm:b@1" || entry === "x"),
  );
  assertEquals(result.removed.map(({ reference }) => reference), ["npm:b@1", "./x.ts#app"]);
  assertEquals(result.left.map(({ reference }) => reference), ["./a.ts", "./y.ts"]);
  assertEquals(
    text,
    COMMENTED.replace('"npm:b@1" //', "//").replace('"x": "./x.ts#app", ', ""),
  );
  const all = await edited(text, (path) => removeNamed(path, () => true));
  assertEquals(all.result.left, []);
  const again = await edited(all.text, (path) => addModules(path, ["./z.ts"]));
  assertEquals(again.text.includes('"./z.ts"'), true);
});

Deno.test("removing the line of an item removes it whole", async () => {
  const before = '{\n  "plugins": [\n    "./a.ts",\n    "./b.ts",\n    "./c.ts"\n  ]\n}\n';
  const { text } = await edited(
    before,
    (path) => removeNamed(path, (it) => it.module === "./b.ts"),
  );
  assertEquals(text, before.replace('    "./b.ts",\n', ""));
});

Deno.test("an edit keeps the file's mode and a link to it", async () => {
  await using dir = await tempDir();
  const real = join(dir.path, "real.json");
  await Deno.writeTextFile(real, "{}");
  await Deno.chmod(real, 0o600);
  await Deno.symlink(real, join(dir.path, "link.json"));
  await addModules(join(dir.path, "link.json"), ["npm:a"]);
  assertEquals((await Deno.lstat(join(dir.path, "link.json"))).isSymlink, true);
  assertEquals((await Deno.stat(real)).mode! & 0o777, 0o600);
});

Deno.test("a file that is not JSON is left as it is", async () => {
  const error = await assertRejects(
    () => edited("{", (path) => addModules(path, ["npm:a"])),
    KarotteError,
  );
  assertEquals(error.message.endsWith(":1:2: close brace expected"), true);
});
