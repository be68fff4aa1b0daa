import { assert, assertEquals, assertMatch } from "@std/assert";
import { libc } from "../../base/libc.ts";
import { run } from "../../base/process.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { type LinkWalkOptions, walkLinks } from "./link_walk.ts";

libc();

/** A user that owns what these tests lay. */
const ids = { uid: 1_234_567, gid: 1_234_567 };

/** Lays files of the student's by a shell script in `work`, beside a folder `private` of root's. */
async function laid(script: string) {
  const dir = await tempDir();
  await Deno.mkdir(`${dir.path}/work`);
  await Deno.mkdir(`${dir.path}/private`);
  await Deno.writeTextFile(`${dir.path}/private/secret`, "s", { mode: 0o600 });
  const all = `${script}\nchown -hR ${ids.uid}:${ids.gid} .`;
  const { code, stderr } = await run(["bash", "-ec", all], { cwd: `${dir.path}/work` });
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const walk = (options: Partial<LinkWalkOptions> = {}) =>
    walkLinks({
      ...ids,
      roots: [`${dir.path}/work`],
      places: [{ path: `${dir.path}/private`, isHome: false }],
      areHardLinksSafe: true,
      mayRead: () => Promise.resolve(false),
      ...options,
    });
  return { dir, walk, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const names = (files: { files: { path: string }[] }) =>
  files.files.map(({ path }) => path.split("/work/")[1]).sort();

Deno.test("walkLinks() counts links into root's places and leaves them", async () => {
  await using at = await laid(
    "mkdir d; ln -s ../private/secret a; ln -s ../../private d/b; touch c",
  );
  const report = await at.walk();
  assertEquals([report.walked, report.reason, report.entries], [true, null, 4]);
  assertEquals(names(report.into_root_places), ["a", "d/b"]);
  assertEquals(report.into_root_places.files.map(({ target }) => target).sort(), [
    "../../private",
    "../private/secret",
  ]);
  assert((await Deno.lstat(`${at.dir.path}/work/a`)).isSymlink);
});

Deno.test("walkLinks() removes pipes, links into /proc and to devices, and nothing of root's", async () => {
  await using at = await laid(
    "mkfifo p; ln -s /proc/self/environ e; ln -s /dev/zero z; ln -s /dev/stdout log; ln -s c d; touch c",
  );
  await run(["mkfifo", `${at.dir.path}/work/roots`]);
  await Deno.symlink("/proc/self/status", `${at.dir.path}/work/roots_link`);
  const report = await at.walk();
  assertEquals(names(report.removed), ["e", "p", "z"]);
  assertEquals(report.into_root_places.count, 0);
  const left = [...Deno.readDirSync(`${at.dir.path}/work`)].map(({ name }) => name).sort();
  assertEquals(left, ["c", "d", "log", "roots", "roots_link"]);
});

Deno.test("walkLinks() takes links of root's, and of the image, as they are", async () => {
  await using at = await laid("touch c");
  await Deno.symlink("../private", `${at.dir.path}/work/roots`);
  assertEquals((await at.walk()).into_root_places.count, 0);
});

Deno.test("walkLinks() lets a link to a program in root's home be that the student may read", async () => {
  await using at = await laid("ln -s ../private/secret python3; ln -s ../private all");
  const asked: string[] = [];
  const report = await at.walk({
    places: [{ path: `${at.dir.path}/private`, isHome: true }],
    mayRead: (path) => Promise.resolve(asked.push(path) > 0),
  });
  assertEquals(names(report.into_root_places), ["all"]);
  assertEquals(asked, [`${at.dir.path}/private/secret`]);
});

Deno.test("walkLinks() counts a hard link to what the student can't read where they can be made", async () => {
  await using at = await laid("touch own; ln own own2");
  await Deno.link(`${at.dir.path}/private/secret`, `${at.dir.path}/work/hard`);
  assertEquals((await at.walk()).into_root_places.count, 0);
  const { into_root_places: found } = await at.walk({ areHardLinksSafe: false });
  assertEquals([names(found), found.files[0]?.kind], [["hard"], "hard link"]);
  await Deno.chmod(`${at.dir.path}/private/secret`, 0o644);
  assertEquals((await at.walk({ areHardLinksSafe: false })).into_root_places.count, 0);
});

Deno.test("walkLinks() walks folders that nobody may enter, deep ones and hostile names", async () => {
  await using at = await laid(String.raw`
    top=$PWD
    mkdir shut "$(printf '\xff\n\x1b')"; ln -s ../../private shut/x
    ln -s ../../private "$(printf '\xff\n\x1b')/y"
    long=$(printf 'd%.0s' {1..200})
    for i in {1..60}; do mkdir $long; cd $long; done
    ln -s ${"$"}{top%/work}/private z
    cd "$top"; chmod 0 shut`);
  const report = await at.walk();
  assertEquals([report.reason, report.into_root_places.count], [null, 3]);
  const longest = report.into_root_places.files.map(({ path }) => path.length).sort().at(-1)!;
  assert(longest <= 1_003, String(longest));
});

Deno.test("walkLinks() ends at its limits and says so", async () => {
  await using at = await laid("touch {1..30}");
  const few = await at.walk({ maxEntries: 10 });
  assertEquals([few.walked, few.entries], [true, 10]);
  assertMatch(few.reason ?? "", /more than 10 entries/);
  assertMatch((await at.walk({ maxMs: -1 })).reason ?? "", /took longer/);
  assertEquals((await at.walk({ maxEntries: 30 })).reason, null);
});
