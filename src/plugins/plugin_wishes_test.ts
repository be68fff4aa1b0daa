import { assertEquals, assertNotEquals } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../base/temp_dir.ts";
import { readManifest } from "./manifest.ts";
import { pluginWishes } from "./plugin_wishes.ts";

/** A folder with files, and what a manifest in it wishes for. */
async function project(files: Readonly<Record<string, string>>) {
  const dir = await tempDir();
  const folder = await Deno.realPath(dir.path);
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const manifest = join(folder, "karotte.plugins.json");
  return {
    write,
    async wishes(text: string) {
      await Deno.writeTextFile(manifest, text);
      return await pluginWishes(await readManifest(manifest), {
        cacheDirectory: join(folder, "cache"),
        offline: true,
        trustsNpmrc: false,
        ageDelayExemptions: [],
      });
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const FILES = {
  "a.ts": 'import { b } from "./b.ts"; export default b; export const other = b;',
  "b.ts": "export const b = 1;",
  "c.ts": "export default 2;",
};

const digests = ({ wishes }: Awaited<ReturnType<typeof pluginWishes>>) =>
  Object.fromEntries(wishes.map(({ name, digest }) => [name, digest]));

Deno.test("a plugin's wish is the same whatever stands around it, in whatever order", async () => {
  await using one = await project(FILES);
  await using other = await project(FILES);
  const plain = await one.wishes('{ "plugins": ["./a.ts", "./c.ts"] }');
  const commented = '// mine\n{ "strict": true, "plugins": ["./c.ts", /* and */ "./a.ts",] }';
  assertEquals(digests(await other.wishes(commented)), digests(plain));
  assertEquals(plain.wishes.map(({ name }) => name), ["plugin ./a.ts", "plugin ./c.ts"]);
});

Deno.test("a wish changes with each file of the plugin, and with what is made of it", async () => {
  await using here = await project(FILES);
  const manifest = '{ "entryPoints": { "cli": { "x": "./a.ts" } } }';
  const digest = async (text: string) => digests(await here.wishes(text))["plugin ./a.ts"];
  const before = await digest(manifest);
  assertNotEquals(await digest('{ "plugins": ["./a.ts"] }'), before);
  assertNotEquals(await digest('{ "entryPoints": { "cli": { "y": "./a.ts" } } }'), before);
  assertNotEquals(await digest('{ "entryPoints": { "cli": { "x": "./a.ts#other" } } }'), before);
  assertNotEquals(
    await digest('{ "entryPoints": { "cli": { "x": "./a.ts" }, "templates": { "x": "./a.ts" } } }'),
    before,
  );
  assertEquals(await digest(manifest), before);
  await here.write("b.ts", "export const b = 3;");
  assertNotEquals(await digest(manifest), before);
  await here.write("b.ts", FILES["b.ts"]);
  assertEquals(await digest(manifest), before);
});

Deno.test("what can't be read is no wish, and is told", async () => {
  await using here = await project({ ...FILES, "broken.ts": "syntax error" });
  const { wishes, unreadable } = await here.wishes(
    '{ "plugins": ["./a.ts", "./broken.ts", "./gone.ts"] }',
  );
  assertEquals(wishes.map(({ name }) => name), ["plugin ./a.ts"]);
  assertEquals(unreadable.length, 2);
});

Deno.test("a manifest that names nothing wishes for nothing", async () => {
  await using here = await project({});
  assertEquals(await here.wishes("{}"), { wishes: [], unreadable: [] });
});
