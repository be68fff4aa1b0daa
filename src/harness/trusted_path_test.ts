import { assertEquals } from "@std/assert";
import { removeIfThere } from "../base/temp_dir.ts";
import { STUDENT } from "../protocol/layout.ts";
import { changeablePlace, trustedPath } from "./trusted_path.ts";

/** A folder of root's alone: below the usual one for temporary files all could be renamed. */
async function rootsOwn() {
  const path = await Deno.makeTempDir({ dir: "/var", prefix: "karotte-test-" });
  return { path, [Symbol.asyncDispose]: () => removeIfThere(path) };
}

Deno.test("root's PATH keeps what only root can change, in its order", async () => {
  await using dir = await rootsOwn();
  const { path } = dir;
  for (const name of ["own", "students", "open", "group", "othergroup", "deep"]) {
    await Deno.mkdir(`${path}/${name}`);
  }
  await Deno.mkdir(`${path}/students/bin`);
  await Deno.chown(`${path}/students`, STUDENT.uid, STUDENT.gid);
  await Deno.chmod(`${path}/open`, 0o1777);
  await Deno.chown(`${path}/group`, 0, STUDENT.gid);
  await Deno.chmod(`${path}/group`, 0o775);
  await Deno.chown(`${path}/othergroup`, 0, 50);
  await Deno.chmod(`${path}/othergroup`, 0o2775);
  const parts = ["own", "students", "students/bin", "open", "group", "othergroup", "missing"];
  const value = ["", ".", "bin", ...parts.map((name) => `${path}/${name}`), "/usr/bin"].join(":");
  assertEquals(await trustedPath(value), `${path}/own:${path}/othergroup:/usr/bin`);
  assertEquals(await trustedPath("/workdir-of-nobody:/tmp:.:"), "");
});

Deno.test("each component on the way counts, also behind links", async () => {
  await using dir = await rootsOwn();
  const { path } = dir;
  await Deno.mkdir(`${path}/students/roots/bin`, { recursive: true });
  await Deno.chown(`${path}/students`, STUDENT.uid, STUDENT.gid);
  // The folder at the end is root's, and the one that it lies in is not.
  await Deno.symlink("students/roots/bin", `${path}/relative`);
  await Deno.symlink(`${path}/students/roots/bin`, `${path}/absolute`);
  await Deno.symlink(`${path}/absolute/../bin`, `${path}/up`);
  await Deno.symlink("loop", `${path}/loop`);
  await Deno.symlink("/usr/bin", `${path}/fine`);
  await Deno.writeTextFile(`${path}/file`, "");
  for (const name of ["students/roots/bin", "relative", "absolute", "up"]) {
    assertEquals(await changeablePlace(`${path}/${name}`), `${path}/students`, name);
  }
  assertEquals(await changeablePlace(`${path}/loop`), undefined);
  assertEquals(await changeablePlace(`${path}/fine`), undefined);
  assertEquals(await changeablePlace(`${path}/missing/one`), undefined);
  assertEquals(await changeablePlace(`${path}/file/one`), undefined);
  assertEquals(await trustedPath(`${path}/file/one:${path}/loop:${path}/fine`), `${path}/fine`);
});
