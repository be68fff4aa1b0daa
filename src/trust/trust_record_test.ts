import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { changeTrust, readTrustRecord } from "./trust_record.ts";

/** A user's config folder, and what reads and changes the record in it. */
async function user() {
  const dir = await tempDir();
  const config = await Deno.realPath(dir.path);
  const variable = (name: string) => name === "XDG_CONFIG_HOME" ? config : undefined;
  const path = join(config, "karotte/trust.json");
  return {
    path,
    variable,
    read: () => readTrustRecord(variable),
    async write(text: string) {
      await Deno.mkdir(join(config, "karotte"), { recursive: true });
      await Deno.writeTextFile(path, text, { mode: 0o600 });
    },
    yes: (folder: string, name: string) =>
      changeTrust(
        folder,
        (before) => ({ ...before, wishes: { ...before?.wishes, [name]: "digest" } }),
        variable,
      ),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

Deno.test("the record is the user's alone, and holds what was said of each folder", async () => {
  await using me = await user();
  assertEquals(me.read(), {});
  await me.yes("/a", "plugin ./a.ts");
  await me.yes("/line\nbreak", "plugin ./b.ts");
  await me.yes("/a", "__proto__");
  const wishes = JSON.parse('{ "plugin ./a.ts": "digest", "__proto__": "digest" }');
  assertEquals(me.read(), {
    "/a": { wishes },
    "/line\nbreak": { wishes: { "plugin ./b.ts": "digest" } },
  });
  assertEquals((await Deno.stat(me.path)).mode! & 0o777, 0o600);
  await changeTrust("/a", () => undefined, me.variable);
  assertEquals(Object.keys(me.read()), ["/line\nbreak"]);
});

Deno.test("commands that change the record at the same time lose nothing", async () => {
  await using me = await user();
  const names = Array.from({ length: 20 }, (_, index) => `/folder ${index}`);
  await Promise.all(names.map((name) => me.yes(name, "plugin")));
  assertEquals(Object.keys(me.read()).sort(), names.sort());
});

Deno.test("a record with 10,000 folders is read and changed", async () => {
  await using me = await user();
  const folders = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`/f${index}`, { wishes: { plugin: "digest" } }]),
  );
  await me.write(JSON.stringify({ version: 1, folders }));
  await me.yes("/new", "plugin");
  assertEquals(Object.keys(me.read()).length, 10_001);
});

for (
  const [what, text, found] of [
    ["cut", '{ "version": 1, "fold', "JSON"],
    ["empty", "", "JSON"],
    ["of a newer version", '{ "version": 2, "folders": {} }', "a newer Karotte wrote it"],
    ["edited: no folders", '{ "version": 1 }', "it has no folders"],
    ["edited: a list", "[]", "it has no folders"],
    [
      "edited: a yes to anything",
      '{ "version": 1, "folders": { "/a": { "wishes": true } } }',
      '"/a"',
    ],
    ["edited: a number", '{ "version": 1, "folders": { "/a": { "wishes": { "x": 1 } } } }', '"/a"'],
    ["edited: own", '{ "version": 1, "folders": { "/a": { "own": true, "wishes": {} } } }', '"/a"'],
  ] as const
) {
  Deno.test(`a record that is ${what} is refused, and never written over`, async () => {
    await using me = await user();
    await me.write(text);
    assertStringIncludes(assertThrows(me.read, KarotteError).message, found);
    await assertRejects(() => me.yes("/b", "plugin"), KarotteError);
    assertEquals(await Deno.readTextFile(me.path), text);
  });
}

Deno.test("a record that others could have made is refused", async () => {
  await using me = await user();
  await me.write('{ "version": 1, "folders": {} }');
  await Deno.chmod(me.path, 0o666);
  assertStringIncludes(assertThrows(me.read, KarotteError).message, "everyone may write to");
  await Deno.rename(me.path, `${me.path}.real`);
  await Deno.chmod(`${me.path}.real`, 0o600);
  await Deno.symlink(`${me.path}.real`, me.path);
  assertStringIncludes(assertThrows(me.read, KarotteError).message, "no regular file");
});

Deno.test("without a home nothing is known, and nothing can be kept", async () => {
  assertEquals(readTrustRecord(() => undefined), {});
  const error = await assertRejects(
    () => changeTrust("/a", () => ({ wishes: {} }), () => undefined),
    KarotteError,
  );
  assertEquals([error.code, error.message], [
    "plugin",
    "Cannot keep what you trust: HOME is not set",
  ]);
});
