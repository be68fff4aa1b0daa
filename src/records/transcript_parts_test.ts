import { assertEquals } from "@std/assert";
import { readTranscriptParts } from "./transcript_parts.ts";

/** The parts of a text that comes in chunks of so many bytes; a part's JSON stands for it. */
async function partsOf(text: string, chunkBytes = 7, maxBytes = 40): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(chunkBytes);
  let offset = 0;
  const read = () => {
    const chunk = bytes.subarray(offset, offset + chunkBytes);
    offset += chunk.length;
    buffer.set(chunk);
    return Promise.resolve(chunk.length === 0 ? null : buffer.subarray(0, chunk.length));
  };
  const found: string[] = [];
  for await (const part of readTranscriptParts(read, { maxBytes })) {
    if (part.kind === "broken") found.push(`broken: ${part.reason}`);
    else if (part.kind === "oversized") found.push("oversized");
    else found.push(`${part.kind} ${new TextDecoder().decode(part.bytes)}`);
  }
  return found;
}

Deno.test("events are found wherever chunks end and however the JSON is laid out", async () => {
  const events = [
    { text: 'brackets ]}[{ and \\ "quotes" \\"', list: [[], {}] },
    { "\\": "\\\\", é: "\u2028" },
    [1],
    "text",
    -1.5e3,
    null,
  ];
  const value = { before: { events: ["no"] }, run_id: "r1", events, after: [true, "]"] };
  const expected = ['run_id "r1"', ...events.map((event) => `event ${JSON.stringify(event)}`)];
  for (const space of [undefined, 2, "\t\r\n"]) {
    const text = JSON.stringify(value, null, space);
    for (let chunkBytes = 1; chunkBytes < 40; chunkBytes++) {
      const found = await partsOf(`\n${text} `, chunkBytes, 1000);
      const plain = found.map((part) =>
        part.replace(
          /^(event) (.*)$/s,
          (_, kind, json) => `${kind} ${JSON.stringify(JSON.parse(json))}`,
        )
      );
      assertEquals(plain, expected, `chunks of ${chunkBytes}`);
    }
  }
});

Deno.test("an event above the limit is passed over", async () => {
  const text = JSON.stringify({ run_id: "x".repeat(5000), events: [1, "x".repeat(39), 2] });
  assertEquals(await partsOf(text), ["event 1", "oversized", "event 2"]);
  const fits = JSON.stringify({ run_id: "r1", events: ["x".repeat(38)] });
  assertEquals((await partsOf(fits)).length, 2);
});

Deno.test("what is no transcript ends with the reason, after the events before", async () => {
  const broken = {
    "": "not a transcript: the file is empty",
    " \n": "not a transcript: the file is empty",
    "[1]": "not a transcript: no JSON object at byte 1",
    "text": "not a transcript: no JSON object at byte 1",
    "\ufeff{}": "not a transcript: no JSON object at byte 1",
    "{}": 'not a transcript: it has no "events"',
    '{"a": 1}': 'not a transcript: it has no "events"',
    '{"events": {}}': 'not a transcript: "events" is no list at byte 12',
    "{1: 2}": "not a transcript: no JSON at byte 2",
    '{"a" 1}': "not a transcript: no JSON at byte 6",
    '{"a": 1,}': "not a transcript: no JSON at byte 9",
    '{"a": }': "not a transcript: no JSON at byte 7",
    '{"a": 1 2}': "not a transcript: no JSON at byte 9",
    '{"events": [,]}': "not a transcript: no JSON at byte 13",
    '{"events": []} {}': "not a transcript: more than one JSON object at byte 16",
    '{"events': "the file was cut off",
    '{"events": [': "the file was cut off",
    '{"events": []': "the file was cut off",
  };
  for (const [text, reason] of Object.entries(broken)) {
    assertEquals(await partsOf(text), [`broken: ${reason}`], text);
  }
  assertEquals(await partsOf('{"events": [1, {"a": [}, 2'), [
    "event 1",
    "broken: the file was cut off",
  ]);
  assertEquals(await partsOf('{"events": [1, 2,]}'), [
    "event 1",
    "event 2",
    "broken: not a transcript: no JSON at byte 18",
  ]);
});
