import { assertEquals } from "@std/assert";
import { libc } from "../../base/libc.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { nameBytes, nameText } from "../../base/walk_folders.ts";
import { type LinkEnd, LinkEnds } from "./link_end.ts";

libc();

/** Says where a target leads from a folder, with `private` and the home `root` beside it. */
function ends(base: string, folder: string) {
  const places = new LinkEnds([
    { path: `${base}/private`, isHome: false },
    { path: `${base}/root`, isHome: true },
  ]);
  return (target: string): LinkEnd["kind"] => {
    const fd = libc().openIn(-100, nameBytes(`${base}/${folder}`), { flags: 0o2000000 });
    try {
      const path = `${base}/${folder}`.split("/").filter(Boolean);
      return places.endOf({ folder: fd, path, target: nameText(nameBytes(target)) }).kind;
    } finally {
      libc().close(fd);
    }
  };
}

async function sample() {
  const dir = await tempDir();
  for (const folder of ["work/a/b", "private/in", "root/lib"]) {
    await Deno.mkdir(`${dir.path}/${folder}`, { recursive: true });
  }
  await Deno.writeTextFile(`${dir.path}/work/file`, "x");
  await Deno.writeTextFile(`${dir.path}/root/lib/python3`, "x");
  await Deno.symlink("../private", `${dir.path}/work/a/there`);
  await Deno.symlink("loop", `${dir.path}/work/loop`);
  return dir;
}

Deno.test("endOf() finds root's places by every way, and past an end that is not there", async () => {
  await using dir = await sample();
  const at = ends(dir.path, "work/a/b");
  for (
    const target of [
      `${dir.path}/private`,
      `${dir.path}/private/none/x`,
      "../../../private/in",
      "..//.././/../private/",
      "../there/in/none", // work/private does not exist: a/there leads beside the place
      `${dir.path}/work/none/../../private/x`,
      `${dir.path}/work/file/../../private/x`,
      `${dir.path}/private/../work/file`,
    ]
  ) {
    const expected = target.startsWith("../there") ? "elsewhere" : "root place";
    assertEquals(at(target), expected, target);
  }
  await Deno.remove(`${dir.path}/work/a/there`);
  await Deno.symlink("../../private", `${dir.path}/work/a/there`);
  assertEquals(at("../there/in/none"), "root place");
});

Deno.test("endOf() lets be what leads elsewhere: names that only begin alike, loops, long ones", async () => {
  await using dir = await sample();
  await Deno.mkdir(`${dir.path}/private2`);
  const at = ends(dir.path, "work/a/b");
  for (
    const target of [
      `${dir.path}/private2/x`,
      "../../file",
      "../../loop",
      "/usr/bin/env",
      "/none/at/all",
      "x".repeat(300),
      "../".repeat(1000),
      "/dev/null",
    ]
  ) assertEquals(at(target), "elsewhere", target);
});

Deno.test("endOf() tells /proc, but for the standard streams, and devices", async () => {
  await using dir = await sample();
  await Deno.symlink("/proc/self", `${dir.path}/work/me`);
  const at = ends(dir.path, "work");
  for (const target of ["/dev/stdout", "/dev/stderr", "/proc/self/fd/0", "/proc/../usr"]) {
    assertEquals(at(target), "elsewhere", target);
  }
  for (
    const target of ["/proc/self/fd/3", "/proc/1/root/x", "me/environ", "/proc", "/dev/fd/7"]
  ) assertEquals(at(target), "proc", target);
  for (const target of ["/dev/zero", "/dev/../dev/urandom"]) {
    assertEquals(at(target), "device", target);
  }
});

Deno.test("endOf() names the file in a home of root's, which the student may be let to read", async () => {
  await using dir = await sample();
  const places = new LinkEnds([{ path: `${dir.path}/root`, isHome: true }]);
  const at = (target: string) => places.endOf({ folder: -1, path: [], target });
  const python = `${dir.path}/root/lib/python3`;
  assertEquals(at(python), { kind: "root place", file: python });
  assertEquals(at(`${dir.path}/root/lib`), { kind: "root place", file: undefined });
  assertEquals(at(`${dir.path}/root/none`), { kind: "root place", file: undefined });
});
