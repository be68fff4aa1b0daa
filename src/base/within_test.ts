import { assertEquals, assertRejects } from "@std/assert";
import { within } from "./within.ts";

Deno.test("within() returns the value, or what stands for it when it is late", async () => {
  assertEquals(await within(Promise.resolve(1), 60_000, "late"), 1);
  assertEquals(await within(new Promise(() => {}), 1, "late"), "late");
  await assertRejects(() => within(Promise.reject(new Error("no")), 60_000, "late"), Error, "no");
});
