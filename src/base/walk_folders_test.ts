import { assertEquals, assertRejects } from "@std/assert";
import { openBelow } from "../../tests/support/open_below.ts";
import { libc } from "./libc.ts";
import { run } from "./process.ts";
import { tempDir } from "./temp_dir.ts";
import { type EntryName, nameBytes, nameText, walkFolders } from "./walk_folders.ts";

// Opened before any test runs, or the first one would seem to leak it.
libc();

/**
 * Lists the folders of an open one; all that the trees of these tests hold are folders and links.
 */
function foldersIn(fd: number): EntryName[] {
  const names = libc().namesIn(fd, new Uint8Array(4096)) ?? [];
  return names.filter((name) => (libc().statIn(fd, name).mode & 0o170000) === 0o040000);
}

Deno.test("walkFolders() visits each folder once and follows no link", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/a/b`, { recursive: true });
  await Deno.mkdir(`${dir.path}/c`);
  await Deno.symlink("/", `${dir.path}/c/root`);
  const seen: string[] = [];
  await walkFolders(dir.path, ({ fd, path }) => {
    seen.push(`/${path.join("/")}`);
    return Promise.resolve(foldersIn(fd));
  });
  assertEquals(seen.sort(), ["", "/a", "/a/b", "/c"].map((path) => `${dir.path}${path}`));
  await walkFolders(`${dir.path}/none`, () => Promise.reject(new Error("there is none")));
});

Deno.test("walkFolders() goes deeper than a path can be long, with one folder open", async () => {
  await using dir = await tempDir();
  const name = nameBytes("d".repeat(200));
  const depth = 100;
  const script = 'for i in $(seq "$1"); do mkdir "$2"; cd "$2"; done';
  const argv = ["bash", "-ec", script, "bash", `${depth}`, "d".repeat(200)];
  assertEquals((await run(argv, { cwd: dir.path })).code, 0);
  let visits = 0;
  await walkFolders(dir.path, ({ fd }) => {
    visits += 1;
    return Promise.resolve(visits <= depth ? [name] : foldersIn(fd));
  });
  assertEquals(visits, depth + 1);
});

Deno.test("walkFolders() throws what a visit throws and closes what it opened", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/a`);
  const visit = ({ path }: { path: readonly string[] }) =>
    path.at(-1) === "a" ? Promise.reject(new Error("enough")) : Promise.resolve([nameBytes("a")]);
  await assertRejects(() => walkFolders(dir.path, visit), Error, "enough");
  assertEquals(await openBelow([dir.path]), []);
});

Deno.test("nameText() keeps bytes that are no UTF-8 apart", () => {
  assertEquals(nameText(new Uint8Array([0x80, 0xff, 0x0a, 0])), "\x80\xff\n");
});
