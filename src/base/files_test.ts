import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ifThere, ifThereSync } from "./files.ts";
import { tempDir } from "./temp_dir.ts";

Deno.test("ifThere() is undefined for what is not there, and throws anything else", async () => {
  await using dir = await tempDir();
  const [there, missing] = [`${dir.path}/there`, `${dir.path}/missing`];
  await Deno.writeTextFile(there, "text");
  assertEquals(await ifThere(Deno.readTextFile(there)), "text");
  assertEquals(await ifThere(Deno.readTextFile(missing)), undefined);
  await assertRejects(() => ifThere(Deno.readTextFile(dir.path)));
  assertEquals(ifThereSync(() => Deno.readTextFileSync(there)), "text");
  assertEquals(ifThereSync(() => Deno.readTextFileSync(missing)), undefined);
  assertThrows(() => ifThereSync(() => Deno.readTextFileSync(dir.path)));
});
