import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { fakeContext, fakeTranscript } from "../../../tests/support/fake_context.ts";
import { scoring } from "./judge.ts";
import { RegexJudge } from "./regex_judge.ts";

/** Does not come to an end on thirty letters and a mark. */
const CATASTROPHIC = /^(\w+\s?)+$/;
const ENDLESS = `${"a".repeat(40)}!`;

Deno.test("RegexJudge passes when every pattern is found in the conversation", async () => {
  const transcript = fakeTranscript(null, "first", "", [
    { type: "text", text: "second" },
    { type: "image_url", image_url: { url: "data:image/png;base64,third" } },
  ]);
  const judge = new RegexJudge([/FIRST/i, /^first\n\nsecond$/]);
  assertEquals(await judge.evaluate(transcript, fakeContext()), scoring(1, {}, true));
});

Deno.test("RegexJudge names the patterns that are not found", async () => {
  const judge = new RegexJudge([/first/, /sec(ond)?x/, /third/]);
  assertEquals(
    await judge.evaluate(fakeTranscript("first", "images: third"), fakeContext()),
    scoring(0, { "sec(ond)?x": "not found" }, false),
  );
});

Deno.test("RegexJudge searches from the start whatever a pattern's state is", async () => {
  const sticky = /first/y;
  const global = /first/g;
  global.test("first");
  sticky.test("first");
  const judge = new RegexJudge([global, sticky, global]);
  for (let round = 0; round < 2; round++) {
    assertEquals((await judge.evaluate(fakeTranscript("first"), fakeContext())).score, 1);
  }
  assertEquals([global.lastIndex, sticky.lastIndex], [5, 5]);
});

Deno.test("RegexJudge ends a search that does not end, and goes on with the next", async () => {
  const judge = new RegexJudge([CATASTROPHIC, /!/, /absent/], { timeoutMs: 300 });
  assertEquals(
    await judge.evaluate(fakeTranscript(ENDLESS), fakeContext()),
    scoring(0, {
      [CATASTROPHIC.source]: "not found: the search took longer than 0.3 s",
      absent: "not found",
    }, false),
  );
});

Deno.test("RegexJudge ends with the run", async () => {
  const controller = new AbortController();
  const judging = new RegexJudge([CATASTROPHIC]).evaluate(
    fakeTranscript(ENDLESS),
    fakeContext({ signal: controller.signal }),
  );
  controller.abort(new Error("the run is over"));
  await assertRejects(() => judging, Error, "the run is over");
});

Deno.test("RegexJudge refuses an empty list and what is not a RegExp", () => {
  assertThrows(() => new RegexJudge([]), TypeError, "at least one pattern");
  assertThrows(() => new RegexJudge(["text" as unknown as RegExp]), TypeError, "got string");
});
