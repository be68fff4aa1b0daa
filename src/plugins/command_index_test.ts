import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../base/temp_dir.ts";
import { readCommandIndex, writeCommandIndex } from "./command_index.ts";

Deno.test("a command index counts as long as no file has changed, come or gone", async () => {
  await using dir = await tempDir();
  const manifest = join(dir.path, "karotte.plugins.json");
  const module = join(dir.path, "a.ts");
  const later = join(dir.path, "later.json");
  const cache = join(dir.path, "cache");
  const commands = [{ name: "tool", plugin: "acme" }];
  const read = () => readCommandIndex(cache, [manifest]);
  assertEquals(await read(), undefined);
  for (
    const change of [
      () => Deno.writeTextFile(module, "something longer"),
      () => Deno.remove(module),
      () => Deno.writeTextFile(later, "{}"),
    ]
  ) {
    await Deno.writeTextFile(manifest, "{}");
    await Deno.writeTextFile(module, "1");
    await writeCommandIndex(cache, [manifest], { files: [manifest, module, later], commands });
    assertEquals(await read(), commands);
    await change();
    assertEquals(await read(), undefined);
  }
  assertEquals(await readCommandIndex(cache, [manifest, later]), undefined);
});
