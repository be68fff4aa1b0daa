import { assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { tempDir } from "../base/temp_dir.ts";
import { ProtectedStore } from "./protected_store.ts";

Deno.test("a protected store keeps text, bytes and JSON in files of mode 0600", async () => {
  await using dir = await tempDir();
  const store = new ProtectedStore(dir.path);
  await store.write("text", "hé");
  await store.write("bytes", new Uint8Array([0, 255]));
  await store.write("json", { answer: 42 });
  await store.write("json", { answer: 43 });
  assertEquals(await store.readText("text"), "hé");
  assertEquals(await store.readBytes("bytes"), new Uint8Array([0, 255]));
  assertEquals(await store.read("json", z.object({ answer: z.number() })), { answer: 43 });
  const files = await Array.fromAsync(Deno.readDir(dir.path));
  assertEquals(files.map(({ name }) => name).sort(), ["bytes", "json", "text"]);
  assertEquals((await Deno.stat(`${dir.path}/json`)).mode! & 0o777, 0o600);
});

Deno.test("a protected store takes single file names only, and a missing entry is not found", async () => {
  await using dir = await tempDir();
  const store = new ProtectedStore(dir.path);
  for (const name of ["", " ", ".", "..", "a/b", "../a", "a\0"]) {
    await assertRejects(() => store.write(name, "x"), TypeError, "not a single file name");
  }
  await assertRejects(() => store.readText("nothing"), Deno.errors.NotFound);
});
