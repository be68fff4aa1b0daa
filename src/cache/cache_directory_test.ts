import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { cacheDirectory, ensureOwnDirectory } from "./cache_directory.ts";

Deno.test("cacheDirectory() takes the first place that is named", () => {
  const found = (variables: Record<string, string>) => cacheDirectory((name) => variables[name]);
  assertEquals(found({ KAROTTE_CACHE: "/a", XDG_CACHE_HOME: "/b", HOME: "/c" }), "/a");
  assertEquals(found({ KAROTTE_CACHE: "", XDG_CACHE_HOME: "/b", HOME: "/c" }), "/b/karotte");
  assertEquals(found({ XDG_CACHE_HOME: "relative", HOME: "/c" }), "/c/.cache/karotte");
  assertThrows(() => found({ KAROTTE_CACHE: "here" }), KarotteError, "not an absolute path");
  assertEquals(assertThrows(() => found({}), KarotteError).hint, "Name a folder in KAROTTE_CACHE.");
});

Deno.test("ensureOwnDirectory() makes a folder for its owner, and refuses what others can write", async () => {
  await using folder = await tempDir();
  const path = await ensureOwnDirectory(join(folder.path, "a", "b"));
  assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o700);
  await Deno.chmod(path, 0o777);
  await assertRejects(
    () => ensureOwnDirectory(path),
    KarotteError,
    `everyone may write to "${path}"`,
  );
  const file = join(folder.path, "file");
  await Deno.writeTextFile(file, "");
  await assertRejects(() => ensureOwnDirectory(file), KarotteError, `"${file}"`);
});

Deno.test({
  name: "ensureOwnDirectory() refuses a folder of somebody else, and one below it",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using folder = await tempDir();
    await Deno.chown(folder.path, 12345, null);
    for (const path of [folder.path, join(folder.path, "cache")]) {
      const { message, hint } = await assertRejects(() => ensureOwnDirectory(path), KarotteError);
      assertEquals(
        message,
        `Cannot use the cache folder "${path}": "${folder.path}" belongs to user id 12345`,
      );
      assertEquals(hint, "Name a folder of your own in KAROTTE_CACHE.");
    }
  },
});
