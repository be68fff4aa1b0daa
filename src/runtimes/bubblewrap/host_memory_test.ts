import { assert, assertEquals } from "@std/assert";
import { hierarchicalLimitIn, hostMemory, limitIn } from "./host_memory.ts";

Deno.test("hostMemory() is at most all memory of the machine", () => {
  const bytes = hostMemory();
  assert(bytes > 0 && bytes <= Deno.systemMemoryInfo().total);
});

Deno.test("limitIn() reads a memory.max of version 2", () => {
  assertEquals(["max\n", "2147483648\n", ""].map(limitIn), [Infinity, 2 ** 31, Infinity]);
});

Deno.test("hierarchicalLimitIn() reads the tightest limit of version 1", () => {
  const stat = "cache 1\nhierarchical_memory_limit 2147483648\nhierarchical_memsw_limit 1\n";
  assertEquals([stat, "cache 1\n", ""].map(hierarchicalLimitIn), [2 ** 31, Infinity, Infinity]);
});
