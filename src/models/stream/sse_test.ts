import { assertEquals } from "@std/assert";
import { type SseEvent, SseParser } from "./sse.ts";

function eventsIn(text: string, pieceChars: number): (SseEvent | undefined)[] {
  const parser = new SseParser();
  const events: (SseEvent | undefined)[] = [];
  for (let start = 0; start < text.length; start += pieceChars) {
    events.push(...parser.feed(text.slice(start, start + pieceChars)));
  }
  return [...events, parser.end()];
}

Deno.test("SseParser reads events whatever ends their lines and wherever they are cut", () => {
  const lines = [
    ": comment",
    "event: a",
    "data: 1",
    "data:  2",
    "",
    "",
    "id: 7",
    "data",
    "",
    "data:3",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    for (let pieceChars = 1; pieceChars < 9; pieceChars++) {
      assertEquals([end, pieceChars, ...eventsIn(lines.join(end), pieceChars)], [
        ...[end, pieceChars],
        { name: "a", data: "1\n 2" },
        { name: undefined, data: "" },
        { name: undefined, data: "3" },
      ]);
    }
  }
});

Deno.test("SseParser has nothing at the end of a text that is whole", () => {
  assertEquals(eventsIn("event: a\ndata: 1\n\nevent: b\n\n", 3), [
    { name: "a", data: "1" },
    undefined,
  ]);
});
