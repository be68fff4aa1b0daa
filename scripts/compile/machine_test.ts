import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { isForTarget } from "./machine.ts";

Deno.test("isForTarget() knows machines and systems apart", async () => {
  await using dir = await tempDir();
  const fits = async (start: string, machine: number, target: string) => {
    const header = new Uint8Array(64);
    header.set(new TextEncoder().encode(start));
    header[18] = machine;
    const path = join(dir.path, "program");
    await Deno.writeFile(path, header);
    return await isForTarget(path, target);
  };
  const elf = "\x7fELF";
  assertEquals(await fits(elf, 62, "x86_64-unknown-linux-gnu"), true);
  assertEquals(await fits(elf, 183, "aarch64-unknown-linux-gnu"), true);
  assertEquals(await fits(elf, 62, "aarch64-unknown-linux-gnu"), false);
  assertEquals(await fits(elf, 62, "x86_64-apple-darwin"), false);
  assertEquals(await fits("MZ", 62, "x86_64-unknown-linux-gnu"), false);
  assertEquals(await fits("MZ", 0, "x86_64-pc-windows-msvc"), true);
});
