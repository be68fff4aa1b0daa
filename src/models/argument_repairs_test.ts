import { assertEquals } from "@std/assert";
import { repairArguments } from "./argument_repairs.ts";

Deno.test("special tokens are taken out, the rest is as it was", () => {
  const repaired = repairArguments(
    '{"command":"ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ["special_tokens"],
  );
  assertEquals(repaired, '{"command":"ls"}');
});

Deno.test("double encoding is undone only if every text has it", () => {
  const repair = (given: unknown) =>
    JSON.parse(repairArguments(JSON.stringify(given), ["double_encoding"]));
  assertEquals(repair({ a: '"x"', b: '"y\\n"', n: 1 }), { a: "x", b: "y\n", n: 1 });
  assertEquals(repair({ a: '"x"', b: "y" }), { a: '"x"', b: "y" });
  assertEquals(repair({ a: "1" }), { a: "1" });
  assertEquals(repair({ n: 1 }), { n: 1 });
  assertEquals(repair(["x"]), ["x"]);
});

Deno.test("debris before a lone absolute path is taken off", () => {
  const repair = (path: string) =>
    JSON.parse(repairArguments(JSON.stringify({ path, n: 1 }), ["path_debris"])).path;
  assertEquals(repair('": "/workdir/a.txt'), "/workdir/a.txt");
  assertEquals(repair('"/workdir/a.txt"'), "/workdir/a.txt");
  assertEquals(repair(":/a"), "/a");
  assertEquals(repair("/workdir/a.txt"), "/workdir/a.txt");
  assertEquals(repair('"/a and more'), '"/a and more');
  assertEquals(repair("x: /a"), "x: /a");
  assertEquals(repair("\n/a"), "\n/a");
});

Deno.test("broken JSON, and arguments in which nothing is wrong, stay as they were written", () => {
  const all = ["special_tokens", "double_encoding", "path_debris"] as const;
  for (const text of ["", "{", "null", '{ "a" : "b" }', '{"a":12345678901234567890}']) {
    assertEquals(repairArguments(text, all), text);
  }
});
