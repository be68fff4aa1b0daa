import { assertEquals, assertStrictEquals } from "@std/assert";
import { wellFormed } from "./well_formed.ts";

Deno.test("wellFormed() replaces halves of pairs at any depth, in names too", () => {
  const value: unknown = { "a\ud83d": ["\ude00b", { c: "😀\ud83d" }], d: 1, e: null, f: "😀" };
  assertEquals(wellFormed(value), { "a�": ["�b", { c: "😀�" }], d: 1, e: null, f: "😀" });
  assertEquals(wellFormed("\ud83d"), "�");
});

Deno.test("wellFormed() gives back what has none, and keeps properties of any name", () => {
  const value = { a: ["😀", { b: 1 }], c: undefined };
  assertStrictEquals(wellFormed(value), value);
  const odd = JSON.parse('{"__proto__": "\\ud83d"}');
  assertEquals(JSON.stringify(wellFormed(odd)), '{"__proto__":"�"}');
});
