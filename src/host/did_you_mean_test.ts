import { assertEquals } from "@std/assert";
import { didYouMean } from "./did_you_mean.ts";

Deno.test("didYouMean() finds a slip and makes no wild guess", async () => {
  const commands = ["run", "tasks", "create-env"];
  assertEquals(await didYouMean("creat-env", commands), "create-env");
  assertEquals(await didYouMean("rn", commands), "run");
  assertEquals(await didYouMean("xyz", commands), undefined);
  assertEquals(await didYouMean("run", []), undefined);
});
