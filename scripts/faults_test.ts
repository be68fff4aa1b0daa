import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { readTests, untestedFaults } from "./faults.ts";

Deno.test("each fault that was mended has a test of its number", async () => {
  const root = fromFileUrl(new URL("..", import.meta.url));
  assertEquals(untestedFaults(await readTests(root)), []);
});

Deno.test("untestedFaults() looks for numbers where names of tests begin", () => {
  const of = (number: string, quote: string) => `Deno.test(${quote}faults ${number}: x${quote})`;
  const all = untestedFaults([]);
  assertEquals([all.length, all[0], all.at(-1)], [20, "1.1", "4.2"]);
  const sources = [of("1.1", '"'), `${of("4.2", "`")}; // faults 2.1: said elsewhere`];
  assertEquals(untestedFaults(sources), all.filter((number) => !/^(1\.1|4\.2)$/.test(number)));
});
