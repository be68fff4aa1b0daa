import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { imageProgram, namedStamp } from "./image_program.ts";

const OURS = {
  inSandbox: { files: [{ name: "karotte", source: "/here/karotte" }], argv: [] },
  command: ["/opt/karotte/bin/karotte"],
  describing: () => [],
};
const AMD64 = { os: "linux", architecture: "amd64" };
const ARM64 = { os: "linux", architecture: "arm64" };

/** Where no program for another platform can be had. */
const parts = () => Promise.reject(new Error("asked for another Deno"));

/** The header of a program for a machine. */
function elf(machine: number): Uint8Array {
  const header = new Uint8Array(64);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header[18] = machine;
  return header;
}

Deno.test("this program serves where it fits, else the one that is named", async () => {
  await using dir = await tempDir();
  const named = `${dir.path}/karotte-arm64`;
  await Deno.writeFile(named, elf(183));
  assertEquals(
    (await imageProgram(OURS, AMD64, { here: AMD64, parts })).files,
    OURS.inSandbox.files,
  );
  assertEquals(await imageProgram(OURS, ARM64, { here: AMD64, named, parts }), {
    files: [{ name: "karotte", source: named }],
    command: ["/opt/karotte/bin/karotte"],
  });
  assertEquals(
    (await imageProgram(OURS, ARM64, {
      here: { os: "darwin", architecture: "arm64" },
      named,
      parts,
    }))
      .files,
    [{ name: "karotte", source: named }],
  );
});

Deno.test("where no program is named, it is a Deno for the platform and the harness as one file", async () => {
  const asked: string[] = [];
  const found = await imageProgram(OURS, ARM64, {
    here: AMD64,
    named: undefined,
    parts(architecture) {
      asked.push(architecture);
      return Promise.resolve({ deno: "/cache/deno", bundle: "/cache/abc/karotte.js" });
    },
  });
  assertEquals(asked, ["arm64"]);
  assertEquals(found.files, [
    { name: "deno", source: "/cache/deno" },
    { name: "karotte.js", source: "/cache/abc/karotte.js" },
  ]);
  assertEquals(found.command[0], "/opt/karotte/bin/deno");
  assertEquals(found.command.at(-1), "/opt/karotte/bin/karotte.js");
});

Deno.test("namedStamp() changes with the name and with the file", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/karotte`;
  const stamps = [namedStamp(""), namedStamp(path)];
  await Deno.writeFile(path, elf(62));
  stamps.push(namedStamp(path));
  await Deno.writeTextFile(path, "more");
  stamps.push(namedStamp(path));
  assertEquals([stamps[0], new Set(stamps).size], [null, 4]);
});

Deno.test("a platform without a program is refused", async () => {
  await using dir = await tempDir();
  const named = `${dir.path}/karotte-amd64`;
  await Deno.writeFile(named, elf(62));
  await assertRejects(
    () => imageProgram(OURS, ARM64, { here: AMD64, named: undefined, parts }),
    Error,
    "asked for another Deno",
  );
  for (const wrong of [named, dir.path + "/gone"]) {
    await assertRejects(
      () => imageProgram(OURS, ARM64, { here: AMD64, named: wrong, parts }),
      Error,
      "no program for linux/arm64",
    );
  }
  const riscv = { os: "linux", architecture: "riscv64" };
  await assertRejects(
    () => imageProgram(OURS, riscv, { here: riscv, parts }),
    Error,
    "has no program",
  );
});
