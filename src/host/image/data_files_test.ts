import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { run } from "../../base/process.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { copyDataFiles, dataDigest, dataStamp, listDataFiles } from "./data_files.ts";

Deno.test("data files are copied to their places with modes for them, links as links", async () => {
  await using dir = await tempDir();
  const environment = `${dir.path}/env`;
  await Deno.mkdir(`${environment}/shared_data/é #1`, { recursive: true });
  await Deno.writeTextFile(`${environment}/shared_data/é #1/a`, "a");
  await Deno.chmod(`${environment}/shared_data/é #1/a`, 0o600);
  await Deno.symlink("é #1/a", `${environment}/shared_data/link`);
  await Deno.mkdir(`${environment}/student_data/locked`, { recursive: true });
  await Deno.writeTextFile(`${environment}/student_data/locked/b`, "b");
  await Deno.chmod(`${environment}/student_data/locked`, 0o500);
  const files = await listDataFiles(environment);
  await copyDataFiles(files, `${dir.path}/out`);
  const modeOf = async (path: string) =>
    ((await Deno.stat(`${dir.path}/out${path}`)).mode ?? 0) & 0o7777;
  assertEquals(await modeOf("/workdir/shared/é #1/a"), 0o644);
  assertEquals(await modeOf("/workdir/data/locked"), 0o500);
  assertEquals(await modeOf("/root_data"), 0o700);
  assertEquals(await Deno.readLink(`${dir.path}/out/workdir/shared/link`), "é #1/a");
  assertEquals(await Deno.readTextFile(`${dir.path}/out/workdir/data/locked/b`), "b");
});

Deno.test("the digest goes by content, the stamp by file", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/root_data`;
  await Deno.mkdir(path);
  const both = async () => {
    const files = await listDataFiles(dir.path);
    return [dataDigest(files), dataStamp(files)] as const;
  };
  await Deno.writeTextFile(`${path}/a`, "one");
  const [digest, stamp] = await both();
  assertEquals(await both(), [digest, stamp]);
  await Deno.rename(`${path}/a`, `${path}/b`);
  await Deno.writeTextFile(`${path}/a`, "one");
  await Deno.remove(`${path}/b`);
  const [sameDigest, otherStamp] = await both();
  assertEquals(sameDigest, digest);
  assertNotEquals(otherStamp, stamp);
  await Deno.writeTextFile(`${path}/a`, "two");
  assertNotEquals((await both())[0], digest);
});

Deno.test("a link that leaves its data directory and a FIFO are refused by name", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/root_data`);
  await Deno.symlink("/etc/shadow", `${dir.path}/root_data/leaves`);
  await assertRejects(() => listDataFiles(dir.path), Error, `root_data/leaves" into the image`);
  await Deno.remove(`${dir.path}/root_data/leaves`);
  await run(["mkfifo", `${dir.path}/root_data/fifo`]);
  await assertRejects(() => listDataFiles(dir.path), Error, "it is neither file, folder nor link");
  await Deno.remove(`${dir.path}/root_data`, { recursive: true });
  await Deno.symlink("/etc", `${dir.path}/root_data`);
  await assertRejects(() => listDataFiles(dir.path), Error, "it is not a folder");
});
