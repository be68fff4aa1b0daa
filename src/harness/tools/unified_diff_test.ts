import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { unifiedDiff } from "./unified_diff.ts";

function diffOf(text: string, old: string, replacement: string, count = Infinity): string {
  const found = Math.min(count, text.split(old).length - 1);
  const diff = unifiedDiff({ path: "/f", text, old, new: replacement, count: found });
  return diff.replace("--- /f\n+++ /f\n", "");
}

/** The text that a diff makes of another, by the rules of the format alone. */
function apply(text: string, diff: string): string {
  const old = text.split(/(?<=\n)/);
  const result: string[] = [];
  let next = 0;
  const lines = diff.replaceAll(/\n\\ No newline at end of file\n/g, "\0").split(/(?<=[\n\0])/);
  for (const marked of lines) {
    const line = marked.replace(/\0$/, "");
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      const start = hunk[2] === "0" ? Number(hunk[1]) : Number(hunk[1]) - 1;
      result.push(...old.slice(next, start));
      next = start;
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
    } else {
      assertEquals(old[next++], line.slice(1));
      if (line.startsWith(" ")) result.push(line.slice(1));
    }
  }
  return [...result, ...old.slice(next)].join("");
}

/** Each hunk's ranges must be what its body has, at the place in the new text that it names. */
function checkRanges(diff: string): void {
  let shift = 0;
  for (const hunk of diff.split(/^(?=@@ )/m).filter(Boolean)) {
    const [head = "", ...body] = hunk.split("\n").slice(0, -1);
    const ranges = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(head)!;
    const [oldLine, oldCount, newLine, newCount] = ranges.slice(1).map((n) => Number(n ?? 1));
    const count = (signs: string) => body.filter((line) => signs.includes(line[0]!)).length;
    assertEquals([oldCount, newCount], [count(" -"), count(" +")]);
    const first = (line: number, lines: number) => lines === 0 ? line + 1 : line;
    assertEquals(first(newLine!, newCount!), first(oldLine!, oldCount!) + shift);
    shift += newCount! - oldCount!;
  }
}

Deno.test("a change in the middle has three lines around it", () => {
  const text = "1\n2\n3\n4\nx\n6\n7\n8\n9\n";
  assertEquals(diffOf(text, "x", "y"), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-x\n+y\n 6\n 7\n 8\n");
});

Deno.test("changes at most six lines apart share a hunk", () => {
  const near = `x\n${"-\n".repeat(6)}x\n`;
  assertEquals(diffOf(near, "x", "y").match(/^@@/gm)?.length, 1);
  const far = `x\n${"-\n".repeat(7)}x\n`;
  assertEquals(diffOf(far, "x", "y").match(/^@@/gm)?.length, 2);
});

Deno.test("a missing newline at the end is marked", () => {
  assertEquals(
    diffOf("x", "x", "y"),
    "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n",
  );
  assertEquals(diffOf("x", "x", "y\n"), "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n");
});

Deno.test("a line whose newline goes takes the next line with it", () => {
  assertEquals(diffOf("a\nb\nc\n", "a\n", "a"), "@@ -1,3 +1,2 @@\n-a\n-b\n+ab\n c\n");
});

Deno.test("whole lines that come or go stand alone", () => {
  assertEquals(diffOf("a\nb\nc\n", "b\n", ""), "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
  assertEquals(diffOf("a\n", "a\n", ""), "@@ -1 +0,0 @@\n-a\n");
  assertEquals(diffOf("a\nc\n", "a\n", "a\nb\n"), "@@ -1,2 +1,3 @@\n a\n+b\n c\n");
});

Deno.test("a replacement that changes nothing has no diff", () => {
  assertEquals(diffOf("a\n", "a", "a"), "");
});

Deno.test("at most 50 replacements are shown, and the rest is counted", () => {
  const diff = diffOf("x\n".repeat(60), "x", "y");
  assertEquals(diff.match(/^\+y$/gm)?.length, 50);
  assertStringIncludes(diff, "(10 more replacements are not shown)\n");
});

Deno.test("a diff of long lines is cut", () => {
  const diff = diffOf(`x${"-".repeat(200_000)}\n`, "x", "y");
  assert(diff.length < 66_000);
  assert(diff.endsWith("\n(the diff was cut)\n"));
});

Deno.test("any diff makes the new text of the old one", () => {
  // A fixed sequence (a linear congruential generator), so that a failure comes back.
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(seed / 2 ** 31 * below);
  };
  const word = (length: number) => Array.from({ length }, () => "ab\n\nc"[random(5)]).join("");
  for (let round = 0; round < 3000; round++) {
    const text = word(1 + random(60));
    const old = word(1 + random(3));
    const replacement = word(random(4));
    const count = random(2) === 0 ? 1 : Infinity;
    if (!text.includes(old)) continue;
    const expected = count === 1
      ? text.replace(old, () => replacement)
      : text.replaceAll(old, () => replacement);
    const diff = diffOf(text, old, replacement, count);
    const input = JSON.stringify({ text, old, replacement, count, diff });
    if (diff === "") assertEquals(text, expected, input);
    else assertEquals(apply(text, diff), expected, input);
    checkRanges(diff);
  }
});
