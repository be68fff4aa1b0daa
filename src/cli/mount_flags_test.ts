import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../base/temp_dir.ts";
import { mountFlags } from "./mount_flags.ts";

Deno.test("mounts come from flags and from files with one a line", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(`${dir.path}/mounts`, "# data\n\n/a:/b\r\n rel:/c:ro \n");
  assertEquals(await mountFlags(["x:y:/z:ro", "../d:/e:rw", "@mounts"], dir.path), [
    { source: `${dir.path}/x:y`, target: "/z", readOnly: true },
    { source: dir.path.replace(/\/[^/]*$/, "/d"), target: "/e", readOnly: false },
    { source: "/a", target: "/b", readOnly: false },
    { source: `${dir.path}/rel`, target: "/c", readOnly: true },
  ]);
  for (const spec of ["", "a", "a:b", ":/b", "a:/b:", "a:/b:rx", "@gone"]) {
    await assertRejects(() => mountFlags([spec], dir.path), Error, "Cannot ");
  }
});
