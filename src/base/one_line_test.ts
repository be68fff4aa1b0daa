import { assertEquals } from "@std/assert";
import { oneLine, printable, printableJson, printableLines } from "./one_line.ts";

const HOSTILE = "\u001b[2J a\r\n\tb\u202e\u2028\u0085\u{e0041}\u200bc\ud83d";

Deno.test("a stranger's text is one line that no terminal acts on", () => {
  assertEquals(oneLine(HOSTILE), "[2J a b c\ufffd");
  assertEquals(printable(HOSTILE), "␣[2J a␣␣␣b␣␣␣␣␣c\ufffd");
});

Deno.test("faults 4.2: lines of a stranger's text stay lines, and nothing else of them acts", () => {
  assertEquals(printableLines(HOSTILE), "␣[2J a\n\tb␣␣␣␣␣c\ufffd");
  const osc = "\u001b]0;title\u0007\u009b31m \u202etxt.exe\u2066\rover";
  assertEquals(printableLines(osc), "␣]0;title␣␣31m ␣txt.exe␣␣over");
  assertEquals(printableLines("plain\n  at file:///a.ts:1:2\n"), "plain\n  at file:///a.ts:1:2\n");
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

Deno.test("printableJson() escapes what a terminal acts on, and means the same", () => {
  const value = { "a\u009b": ["\u001b]0;x\u0007", "\u202e\u{e0001}", "é\n"] };
  const json = printableJson(value);
  assertEquals(/(?!\n)[\p{Cc}\p{Cf}]/u.test(json), false);
  assertEquals(JSON.parse(json), value);
});
