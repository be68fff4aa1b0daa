import { assertEquals } from "@std/assert";
import { didYouMean } from "./did_you_mean.ts";

Deno.test("didYouMean() finds a slip and makes no wild guess", () => {
  const commands = ["run", "tasks", "create-env"];
  assertEquals(didYouMean("creat-env", commands), "create-env");
  assertEquals(didYouMean("rn", commands), "run");
  assertEquals(didYouMean("xyz", commands), undefined);
  assertEquals(didYouMean("run", []), undefined);
});
