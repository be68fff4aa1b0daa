import { assertEquals } from "@std/assert";
import { numberedName } from "./file_names.ts";

Deno.test("faults 2.5: a number stands before a name's ending, and a long name gives way", () => {
  assertEquals(numberedName("x.txt", 2), "x.2.txt");
  assertEquals(numberedName("results", 12), "results.12");
  assertEquals(numberedName(".bashrc", 2), ".bashrc.2");
  assertEquals(numberedName("a.tar.gz", 3), "a.tar.3.gz");
  assertEquals(numberedName(`${"é".repeat(126)}.md`, 2), `${"é".repeat(125)}.2.md`);
  assertEquals(numberedName(`x.${"y".repeat(253)}`, 2), `x.${"y".repeat(251)}.2`);
});
