import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { imageProgram } from "./image_program.ts";

const OURS = {
  inSandbox: { files: [{ name: "karotte", source: "/here/karotte" }], argv: [] },
  command: ["/opt/karotte/bin/karotte"],
  here: [],
};
const AMD64 = { os: "linux", architecture: "amd64" };
const ARM64 = { os: "linux", architecture: "arm64" };

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
  assertEquals((await imageProgram(OURS, AMD64, { here: AMD64 })).files, OURS.inSandbox.files);
  assertEquals(await imageProgram(OURS, ARM64, { here: AMD64, named }), {
    files: [{ name: "karotte", source: named }],
    command: ["/opt/karotte/bin/karotte"],
  });
  assertEquals(
    (await imageProgram(OURS, ARM64, { here: { os: "darwin", architecture: "arm64" }, named }))
      .files,
    [{ name: "karotte", source: named }],
  );
});

Deno.test("a platform without a program is refused", async () => {
  await using dir = await tempDir();
  const named = `${dir.path}/karotte-amd64`;
  await Deno.writeFile(named, elf(62));
  await assertRejects(
    () => imageProgram(OURS, ARM64, { here: AMD64, named: undefined }),
    Error,
    "Cannot build an image for linux/arm64: this Karotte is a program for linux/amd64",
  );
  for (const wrong of [named, dir.path + "/gone"]) {
    await assertRejects(
      () => imageProgram(OURS, ARM64, { here: AMD64, named: wrong }),
      Error,
      "no program for linux/arm64",
    );
  }
  const riscv = { os: "linux", architecture: "riscv64" };
  await assertRejects(() => imageProgram(OURS, riscv, { here: riscv }), Error, "has no program");
});
