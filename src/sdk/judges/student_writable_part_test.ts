import { assertEquals } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { studentWritablePart } from "./student_writable_part.ts";

const NOBODY = { uid: 54_321, gid: 54_321 };

Deno.test("faults 2.2: the place is found where a path lies in the student's hands", async () => {
  await using dir = await tempDir();
  const path = await Deno.realPath(dir.path);
  await Deno.chmod(path, 0o755);
  const folder = async (name: string, mode: number) => {
    await Deno.mkdir(`${path}/${name}`);
    await Deno.chmod(`${path}/${name}`, mode);
  };
  await folder("root", 0o755);
  await folder("open", 0o777);
  await folder("sticky", 0o1777);
  await folder("sticky/root", 0o755);
  await Deno.writeTextFile(`${path}/root/file`, "");
  await Deno.symlink("../open/x", `${path}/root/to_open`);
  await Deno.symlink("../root/x", `${path}/sticky/to_root`);
  await Deno.symlink("loop", `${path}/root/loop`);
  const expected: Record<string, string | undefined> = {
    "root/file": undefined,
    "root/file/below": undefined,
    "root/missing/deeper": undefined,
    "root/loop": undefined,
    "open/missing": "open/missing",
    "open": "open",
    "root/to_open": "open/x",
    "root/../open/./y": "open/y",
    // Nobody removes what is root's from a sticky folder.
    "sticky/missing": "sticky/missing",
    "sticky/root/missing": undefined,
    "sticky/to_root": undefined,
  };
  for (const [name, part] of Object.entries(expected)) {
    const found = await studentWritablePart(`${path}/${name}`, NOBODY);
    assertEquals(found, part === undefined ? undefined : `${path}/${part}`, name);
  }
  const owner = { uid: Deno.uid()!, gid: 54_321 };
  assertEquals(await studentWritablePart(`${path}/root/missing`, owner) !== undefined, true);
});
