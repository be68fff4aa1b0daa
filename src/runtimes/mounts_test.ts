import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { checkMounts, covers } from "./mounts.ts";

Deno.test("covers() finds hidden folders by their real paths, the outermost only", async () => {
  await using dir = await tempDir();
  const root = await Deno.realPath(dir.path);
  await Deno.mkdir(`${root}/shown/a/b`, { recursive: true });
  await Deno.mkdir(`${root}/shown-not/a`, { recursive: true });
  await Deno.symlink(`${root}/shown/a`, `${root}/link`);
  const visible = [{ source: `${root}/shown`, target: "/mnt/x" }];
  const hidden = [`${root}/shown/a/b`, `${root}/link`, `${root}/shown-not/a`, `${root}/none`];
  assertEquals(await covers(hidden, visible), [{ path: "/mnt/x/a", isDirectory: true }]);
  // A folder around a mount's source: the mount is what the user asked for.
  assertEquals(await covers([root], visible), []);
  await assertRejects(() => covers([`${root}/shown`], visible), KarotteError, "must not be seen");
});

Deno.test("checkMounts() resolves sources and refuses targets that are the sandbox's own", async () => {
  await using dir = await tempDir();
  const root = await Deno.realPath(dir.path);
  await Deno.symlink(root, `${root}/link`);
  const mount = (target: string, source = root) => [{ source, target, readOnly: true }];
  assertEquals(await checkMounts(mount("/mnt/a", `${root}/link`)), mount("/mnt/a"));
  await checkMounts(mount("/workdir/models"));
  for (
    const target of ["/", "//x", "/a/", "/a/..", "a", "/var", "/opt/karotte/bin", "/tmp", "/usr/x"]
  ) {
    await assertRejects(() => checkMounts(mount(target)), KarotteError, `"${target}"`);
  }
  await assertRejects(() => checkMounts(mount("/mnt", `${root}/none`)), KarotteError, "none");
});
