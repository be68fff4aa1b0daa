import { assertEquals } from "@std/assert";
import { spawn } from "../../base/process.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { removeLeftovers } from "./removal.ts";
import { createRunFolder } from "./run_folder.ts";

Deno.test("removeLeftovers() ends a bwrap that was left waiting, and removes its folder", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/runs`);
  await Deno.copyFile("/bin/bash", `${dir.path}/bwrap`);
  const { path, name } = await createRunFolder(`${dir.path}/runs`, "r1");
  const start = (word: string) =>
    spawn([`${dir.path}/bwrap`, "-c", "read -r line", "sh", word], { stdin: "piped" });
  const [left, other] = [start(name), start(`${name}x`)];
  assertEquals(await removeLeftovers(`${dir.path}/runs`), 0, "its owner is alive");
  const record = JSON.parse(await Deno.readTextFile(`${path}/owner.json`));
  record.owner.start_time = "1";
  await Deno.writeTextFile(`${path}/owner.json`, JSON.stringify(record));
  assertEquals(await removeLeftovers(`${dir.path}/runs`), 1);
  assertEquals((await left.status).signal, "SIGKILL");
  await other.stdin?.close();
  assertEquals((await other.status).signal, null);
  assertEquals([...Deno.readDirSync(`${dir.path}/runs`)], []);
  await left.stdin?.abort().catch(() => {});
  for (const { stdout, stderr } of [left, other]) {
    await Promise.all([stdout.cancel(), stderr.cancel()]);
  }
});
