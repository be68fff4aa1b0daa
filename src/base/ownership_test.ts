import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { run } from "./process.ts";
import { tempDir } from "./temp_dir.ts";
import { distrust } from "./ownership.ts";

const uid = Deno.uid() ?? 0;
const accounts = { uid, system: [0], passwd: undefined, group: undefined };

async function manifestIn(folder: string): Promise<string> {
  const path = join(folder, "karotte.plugins.json");
  await Deno.writeTextFile(path, "{}");
  await Deno.chmod(path, 0o644);
  return path;
}

Deno.test("distrust() accepts what only the caller can write, below /tmp too", async () => {
  await using dir = await tempDir();
  assertEquals(distrust(await manifestIn(dir.path), accounts), undefined);
});

Deno.test("distrust() refuses a file or folder that others may write", async () => {
  await using dir = await tempDir();
  const folder = await Deno.realPath(dir.path);
  const path = await manifestIn(folder);
  await Deno.chmod(path, 0o646);
  assertEquals(distrust(path, accounts), `everyone may write to "${path}"`);
  await Deno.chmod(path, 0o664);
  assertStringIncludes(String(distrust(path, accounts)), `may write to "${path}"`);
  await Deno.chmod(path, 0o644);
  for (const mode of [0o777, 0o1777]) {
    await Deno.chmod(folder, mode);
    assertEquals(distrust(path, accounts), `everyone may write to "${folder}"`, "sticky or not");
  }
});

Deno.test("distrust() refuses a folder above that others may rename what lies in it", async () => {
  await using dir = await tempDir();
  const folder = await Deno.realPath(dir.path);
  await Deno.mkdir(join(folder, "inner"), { mode: 0o755 });
  const path = await manifestIn(join(folder, "inner"));
  await Deno.chmod(folder, 0o777);
  assertEquals(distrust(path, accounts), `everyone may write to "${folder}"`);
  await Deno.chmod(folder, 0o1777);
  assertEquals(distrust(path, accounts), undefined);
});

Deno.test("distrust() follows a link to where the file really is", async () => {
  await using dir = await tempDir();
  const folder = await Deno.realPath(dir.path);
  await Deno.mkdir(join(folder, "open"));
  await Deno.chmod(join(folder, "open"), 0o777);
  const path = await manifestIn(join(folder, "open"));
  await Deno.symlink(path, join(folder, "link.json"));
  const found = distrust(join(folder, "link.json"), accounts);
  assertEquals(found, `everyone may write to "${join(folder, "open")}"`);
});

Deno.test("distrust() takes a folder below /tmp, and not /tmp itself", async () => {
  await using dir = await tempDir();
  assertEquals(distrust(dir.path, accounts), undefined);
  await Deno.chmod(dir.path, 0o1777);
  const folder = await Deno.realPath(dir.path);
  assertEquals(distrust(dir.path, accounts), `everyone may write to "${folder}"`);
});

Deno.test({
  name: "distrust() refuses what lies below a folder or link of another user",
  ignore: uid !== 0,
  async fn() {
    await using dir = await tempDir();
    const folder = await Deno.realPath(dir.path);
    await Deno.mkdir(join(folder, "theirs", "mine"), { recursive: true });
    await Deno.mkdir(join(folder, "mine"));
    await Deno.symlink(join(folder, "theirs"), join(folder, "link"));
    await Deno.symlink(join(folder, "mine"), join(folder, "theirs", "link"));
    await Deno.symlink(join(folder, "theirs", "link"), join(folder, "over"));
    await Deno.chown(join(folder, "theirs"), 4242, 4242);
    const theirs = `"${join(folder, "theirs")}" belongs to user id 4242`;
    for (const name of ["theirs/mine", "link/mine", "theirs/link", "over"]) {
      assertEquals([name, distrust(join(folder, name), accounts)], [name, theirs]);
    }
    // Where root can't be told from others, its id is that of the root folder.
    const contained = { ...accounts, uid: 1, system: [0, 4242] };
    assertEquals(distrust(join(folder, "link/mine"), contained), undefined);
  },
});

Deno.test({
  name: "distrust() refuses a link that another user can point elsewhere",
  ignore: uid !== 0,
  async fn() {
    await using dir = await tempDir();
    const folder = await Deno.realPath(dir.path);
    await Deno.mkdir(join(folder, "mine"));
    await Deno.symlink(join(folder, "mine"), join(folder, "link"));
    const { code } = await run(["chown", "-h", "4242", join(folder, "link")]);
    assertEquals(code, 0);
    const found = `the link "${join(folder, "link")}" belongs to user id 4242`;
    assertEquals(distrust(join(folder, "link"), accounts), found);
  },
});

Deno.test({
  name: "distrust() refuses what belongs to another user",
  ignore: uid !== 0,
  async fn() {
    await using dir = await tempDir();
    const path = await manifestIn(dir.path);
    await Deno.chown(path, 4242, 4242);
    assertEquals(distrust(path, accounts), `"${path}" belongs to user id 4242`);
  },
});
