import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { tempDir } from "../base/temp_dir.ts";
import { identityOf, isOwn } from "./own_folder.ts";

Deno.test("a folder is the user's own, and what lies in it is not", async () => {
  await using dir = await tempDir();
  const mine = await Deno.realPath(dir.path);
  await Deno.mkdir(join(mine, "out/artifacts"), { recursive: true });
  const own = identityOf(mine);
  assert(own !== undefined);
  const folders = { [mine]: { own, wishes: {} } };
  const found = [mine, join(mine, "out"), join(mine, "out/artifacts"), dirname(mine), "/"]
    .map((path) => isOwn(path, folders));
  assertEquals(found, [true, false, false, false, false]);
});

Deno.test("another folder that takes the place of an own one is not own", async () => {
  await using dir = await tempDir();
  const mine = join(await Deno.realPath(dir.path), "mine");
  await Deno.mkdir(mine);
  const own = identityOf(mine);
  assert(own !== undefined);
  const folders = { [mine]: { own, wishes: {} } };
  await Deno.rename(mine, `${mine} moved`);
  assertEquals(isOwn(mine, folders), false);
  await Deno.mkdir(mine);
  assertEquals([isOwn(mine, folders), isOwn(`${mine} moved`, folders)], [false, false]);
});
