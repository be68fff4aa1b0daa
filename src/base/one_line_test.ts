import { assertEquals } from "@std/assert";
import { oneLine, printable } from "./one_line.ts";

const HOSTILE = "\u001b[2J a\r\n\tb\u202e\u2028\u0085\u{e0041}\u200bc\ud83d";

Deno.test("a stranger's text is one line that no terminal acts on", () => {
  assertEquals(oneLine(HOSTILE), "[2J a b c\ufffd");
  assertEquals(printable(HOSTILE), "␣[2J a␣␣␣b␣␣␣␣␣c\ufffd");
});

Deno.test("a stranger's text is cut, and the cut is shown", () => {
  assertEquals([oneLine("x".repeat(500)).length, oneLine("x".repeat(501)).length], [500, 500]);
  assertEquals(oneLine("abcd efgh", 6), "abcd…");
  // Between the halves of a pair.
  assertEquals(oneLine("abc\u{1f600}\u{1f600}", 5), "abc\ufffd…");
  assertEquals(printable("x".repeat(161)), `${"x".repeat(160)}...`);
  assertEquals(printable("x".repeat(160)), "x".repeat(160));
});

Deno.test("keys in URLs do not get into a sentence", () => {
  assertEquals(
    oneLine("no answer of https://user:pass@example.com/a?key=1#b."),
    "no answer of https://example.com/a.",
  );
});
