import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { abandonedFolders, createRunFolder } from "./run_folder.ts";
import { NOWHERE } from "../../../tests/support/nowhere.ts";

async function changeOwner(path: string, changes: Record<string, unknown>): Promise<void> {
  const file = `${path}/owner.json`;
  const record = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(
    file,
    JSON.stringify({ ...record, owner: { ...record.owner, ...changes } }),
  );
}

Deno.test("abandonedFolders() finds a dead owner's folder and nobody else's", async () => {
  await using dir = await tempDir();
  const folder = await createRunFolder(dir.path, "r1");
  assertEquals(await abandonedFolders(dir.path), []);
  for (const changes of [{ start_time: "1" }, { boot_id: "x" }]) {
    await changeOwner(folder.path, changes);
    assertEquals(await abandonedFolders(dir.path), [folder]);
  }
  await Deno.chmod(folder.path, 0o777);
  assertEquals(await abandonedFolders(dir.path), [], "others could have written the record");
});

Deno.test("abandonedFolders() leaves owners alone that it can't see", async () => {
  await using dir = await tempDir();
  for (const changes of [{ host: "other", boot_id: "x" }, { pid_namespace: "pid:[1]", pid: 1 }]) {
    const { path } = await createRunFolder(dir.path, "r1");
    await changeOwner(path, changes);
  }
  assertEquals(await abandonedFolders(dir.path), []);
});

Deno.test("abandonedFolders() takes a folder without a record only when it is old", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/karotte-bubblewrap-x`;
  await Deno.mkdir(path, { mode: 0o700 });
  assertEquals(await abandonedFolders(dir.path), []);
  await Deno.utime(path, 0, 0);
  assertEquals((await abandonedFolders(dir.path)).length, 1);
});

Deno.test("createRunFolder() says what to do where no folder can be made", async () => {
  const error = await assertRejects(() => createRunFolder(NOWHERE, "r1"), KarotteError);
  assertEquals(error.hint?.includes("TMPDIR"), true);
});
