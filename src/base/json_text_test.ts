import { assertEquals } from "@std/assert";
import { parseJson, parseJsonc, parseJsoncTree, placeAt } from "./json_text.ts";

Deno.test("parseJson() takes JSON only, and tells the place of what is not", async () => {
  assertEquals(await parseJson('{"a": [1, "\\u00e9"]}'), { value: { a: [1, "é"] } });
  const failures = {
    "": { line: 1, column: 1, offset: 0, reason: "value expected" },
    '{"a": 1,}': { line: 1, column: 9, offset: 8, reason: "property name expected" },
    '{\r\n  "a" 1}': { line: 2, column: 7, offset: 9, reason: "colon expected" },
    "[1\r2]": { line: 2, column: 1, offset: 3, reason: "comma expected" },
    "[1] // one": { line: 1, column: 5, offset: 4, reason: "invalid comment token" },
  };
  for (const [text, failure] of Object.entries(failures)) {
    assertEquals(await parseJson(text), { failure }, text);
  }
});

Deno.test("parseJsonc() takes comments and commas after the last item", async () => {
  assertEquals(await parseJsonc('{ // one\n "a": [1,], /* b */ }'), { value: { a: [1] } });
  const failure = { line: 2, column: 2, offset: 5, reason: "invalid symbol" };
  assertEquals(await parseJsonc("{ \r\n a: 1 }"), { failure });
  assertEquals((await parseJsonc("{")).failure?.reason, "close brace expected");
});

Deno.test("parseJsoncTree() knows where values stand", async () => {
  const read = await parseJsoncTree('{ "a": 1 }');
  if (read.failure !== undefined) throw new Error(read.failure.reason);
  assertEquals([read.value?.type, read.value?.children?.[0]?.children?.[1]?.offset], ["object", 7]);
});

Deno.test("text that is nested too deeply is told like any other mistake", async () => {
  const failure = { line: 1, column: 1, offset: 0, reason: "nested too deeply" };
  for (const parse of [parseJson, parseJsonc, parseJsoncTree]) {
    assertEquals(await parse("[".repeat(200_000)), { failure });
  }
});

Deno.test("placeAt() counts lines of every system", () => {
  assertEquals(placeAt("ab", 2), { line: 1, column: 3 });
  assertEquals(placeAt("a\r\nb\nc\rd", 7), { line: 4, column: 1 });
});
