import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { run } from "../../base/process.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { copyDataDirectories, copyFolder, refuseSpecialFiles } from "./data_copy.ts";

Deno.test("copyDataDirectories() copies what is there and makes what is not", async () => {
  await using dir = await tempDir();
  const environment = `${dir.path}/-e é`;
  await Deno.mkdir(`${environment}/student_data`, { recursive: true });
  await Deno.writeTextFile(`${environment}/student_data/-n #`, "x", { mode: 0o640 });
  await copyDataDirectories(environment, `${dir.path}/tree`);
  assertEquals(await Deno.readTextFile(`${dir.path}/tree/workdir/data/-n #`), "x");
  const mode = async (path: string) => ((await Deno.stat(dir.path + path)).mode ?? 0) & 0o777;
  assertEquals(await mode("/tree/workdir/data/-n #"), 0o640);
  assertEquals([await mode("/tree/workdir/shared"), await mode("/tree/root_data")], [0o755, 0o700]);
});

Deno.test("copyDataDirectories() is not at work any more when it has failed", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/environment/student_data`, { recursive: true });
  for (let index = 0; index < 300; index++) {
    await Deno.writeTextFile(`${dir.path}/environment/student_data/${index}`, "x");
  }
  await Deno.symlink("/etc", `${dir.path}/environment/root_data`);
  const tree = `${dir.path}/tree`;
  await assertRejects(() => copyDataDirectories(`${dir.path}/environment`, tree), KarotteError);
  assertEquals([...Deno.readDirSync(`${tree}/workdir/data`)].length, 300);
});

Deno.test("refuseSpecialFiles() names a socket, a FIFO or a device, and lets links be", async () => {
  await using dir = await tempDir();
  await Deno.symlink("/anywhere", `${dir.path}/link`);
  await refuseSpecialFiles(dir.path);
  await run(["mkfifo", "--", `${dir.path}/fifo\n1`]);
  await assertRejects(() => refuseSpecialFiles(dir.path), KarotteError, `${dir.path}/fifo\n1`);
});

Deno.test("copyFolder() keeps links as links and says what it could not read", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/from`);
  await Deno.symlink("/etc/passwd", `${dir.path}/from/link`);
  await copyFolder(`${dir.path}/from`, `${dir.path}/to`);
  assertEquals(await Deno.readLink(`${dir.path}/to/link`), "/etc/passwd");
  await assertRejects(() => copyFolder(`${dir.path}/no`, `${dir.path}/x`), KarotteError, "No such");
});
