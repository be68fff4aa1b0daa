import { assertEquals, assertRejects } from "@std/assert";
import { LineError, readLines, splitLines } from "./ndjson.ts";

async function linesOf(chunks: string[], maxBytes = 100): Promise<string[]> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const pending = chunks.map((chunk) => encoder.encode(chunk));
  const lines: string[] = [];
  for await (
    const line of readLines(() => Promise.resolve(pending.shift() ?? null), { maxBytes })
  ) {
    lines.push(decoder.decode(line));
  }
  return lines;
}

Deno.test("readLines() finds lines wherever chunks end", async () => {
  assertEquals(await linesOf(["a\nb", "c\n", "", "\n", "d", "e\n"]), ["a", "bc", "", "de"]);
});

Deno.test("readLines() refuses a line above the limit without collecting it", async () => {
  await assertRejects(() => linesOf(["12345", "678901\n"], 10), LineError, "above 10 bytes");
  assertEquals(await linesOf(["12345", "67890\n"], 10), ["1234567890"]);
});

Deno.test("readLines() reports a last line that was cut off", async () => {
  await assertRejects(() => linesOf(["a\nb"]), LineError, "cut off");
});

Deno.test("readLines() keeps what it yields when the reader reuses its buffer", async () => {
  const buffer = new Uint8Array(2);
  const chunks = ["ab", "c\n"];
  const read = () => {
    const chunk = chunks.shift();
    if (chunk === undefined) return Promise.resolve(null);
    new TextEncoder().encodeInto(chunk, buffer);
    return Promise.resolve(buffer);
  };
  const lines: string[] = [];
  for await (const line of readLines(read, { maxBytes: 10 })) {
    lines.push(new TextDecoder().decode(line));
  }
  assertEquals(lines, ["abc"]);
});

Deno.test("splitLines() passes over a line above the limit, and goes on", async () => {
  const chunks = ["12345", "678901", "23\nab\n", "x".repeat(11), "\n", "cd"];
  const pending = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const found: string[] = [];
  const read = () => Promise.resolve(pending.shift() ?? null);
  for await (const part of splitLines(read, { maxBytes: 10 })) {
    const text = new TextDecoder().decode(part.kind === "oversized" ? part.start : part.bytes);
    found.push(`${part.kind} ${text}`);
  }
  assertEquals(found, [
    "oversized 12345678901",
    "line ab",
    `oversized ${"x".repeat(11)}`,
    "torn cd",
  ]);
});
