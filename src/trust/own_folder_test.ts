import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../base/temp_dir.ts";
import { identityOf, isOwn } from "./own_folder.ts";
import type { FolderRecord } from "./trust_record.ts";

Deno.test("a folder is the user's own with all below it, but not a repository in it", async () => {
  await using dir = await tempDir();
  const root = await Deno.realPath(dir.path);
  const mine = join(root, "mine");
  for (const path of ["deep/er", "clone/.git", "clone/deep", "pinned/deep", ".git"]) {
    await Deno.mkdir(join(mine, path), { recursive: true });
  }
  const own = identityOf(mine);
  assert(own !== undefined);
  const folders: Record<string, FolderRecord> = {
    [mine]: { own, wishes: {} },
    [join(mine, "pinned")]: { pinned: true, wishes: {} },
  };
  const found = ["", "deep", "deep/er", "clone", "clone/deep", "pinned", "pinned/deep"]
    .filter((path) => isOwn(join(mine, path), folders));
  assertEquals(found, ["", "deep", "deep/er"]);
  assertEquals([isOwn(root, folders), isOwn("/", folders)], [false, false]);
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
