import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { fakeContext } from "../../../tests/support/fake_context.ts";
import { type Message, message } from "../../schemas/message.ts";
import type { NewEvent } from "../../schemas/transcript.ts";
import { Transcript } from "../transcript.ts";
import { scoring } from "./judge.ts";
import { RegexJudge, type RegexJudgeOptions } from "./regex_judge.ts";

/** Does not come to an end on thirty letters and a mark. */
const CATASTROPHIC = /^(\w+\s?)+$/;
const ENDLESS = `${"a".repeat(40)}!`;

function transcriptOf(...events: NewEvent[]): Transcript {
  return new Transcript(
    "r",
    events.map((event) => ({ timestamp: "2026-01-01T00:00:00Z", ...event })),
  );
}

function added(fields: Pick<Message, "role"> & Partial<Message>): NewEvent {
  return { type: "message_added", message: message(fields), finish_reason: null, raw: null };
}

/** The transcript of a step in which the student said these things. */
function said(...contents: Message["content"][]): Transcript {
  return transcriptOf(
    { type: "step_started", step: 0 },
    ...contents.map((content) => added({ role: "assistant", content })),
  );
}

/** Two steps, with a word in each place where one can stand. */
const EVERYWHERE = transcriptOf(
  added({ role: "system", content: "in-system" }),
  { type: "step_started", step: 0 },
  added({ role: "user", content: "in-old-instructions" }),
  added({ role: "assistant", content: "in-old-answer" }),
  { type: "step_completed", step: 0 },
  { type: "step_started", step: 1 },
  added({ role: "user", content: "in-instructions" }),
  added({
    role: "assistant",
    content: "in-answer",
    reasoning_content: "in-reasoning",
    tool_calls: [{ id: "1", type: "function", function: { name: "bash", arguments: "in-call" } }],
  }),
  added({ role: "tool", content: "in-output", tool_call_id: "1" }),
  added({ role: "assistant", content: "<think>in-thought</think>in-last-answer" }),
  added({ role: "assistant", content: "<think>cut off" }),
);

const ELSEWHERE = 'it stands elsewhere in the conversation, where only where: "all" looks';

Deno.test("RegexJudge searches what the student said in the step, and tells what stands elsewhere", async () => {
  const words = ["in-system", "in-old-instructions", "in-old-answer", "in-instructions"]
    .concat(["in-reasoning", "in-call", "in-output", "in-thought"]);
  const judge = new RegexJudge(
    ["in-answer", "in-last-answer", ...words].map((text) => RegExp(text)),
  );
  const { score, metadata } = await judge.evaluate(EVERYWHERE, fakeContext());
  const elsewhere = `not found in what the student said in this step: ${ELSEWHERE}`;
  const told = words.map((word) => [
    word,
    word === "in-reasoning" || word === "in-call" ? "not found" : elsewhere,
  ]);
  assertEquals([score, metadata], [0, Object.fromEntries(told)]);
});

Deno.test("RegexJudge with where: last searches the last message that has a text", async () => {
  const judge = (pattern: RegExp) => new RegexJudge([pattern], { where: "last" });
  assertEquals((await judge(/^in-last-answer$/).evaluate(EVERYWHERE, fakeContext())).score, 1);
  assertEquals(
    await judge(/in-answer/).evaluate(EVERYWHERE, fakeContext()),
    scoring(0, { "in-answer": `not found in the student's last message: ${ELSEWHERE}` }, false),
  );
});

Deno.test("RegexJudge with where: all searches the whole conversation", async () => {
  const found = ["in-system", "in-old-answer", "in-instructions", "in-output", "in-thought"];
  const judge = new RegexJudge([...found, "in-call"].map((text) => RegExp(text)), { where: "all" });
  assertEquals(
    await judge.evaluate(EVERYWHERE, fakeContext()),
    scoring(0, { "in-call": "not found" }, false),
  );
});

Deno.test("a student that prints every answer with a tool does not pass a RegexJudge", async () => {
  const transcript = transcriptOf(
    { type: "step_started", step: 0 },
    added({ role: "assistant", tool_calls: [] }),
    added({ role: "tool", content: "bed A1\nbed B1\nbed C1\nbed C2" }),
    added({ role: "assistant", content: "I printed all of them." }),
  );
  const evaluate = (judge: RegexJudge) => judge.evaluate(transcript, fakeContext());
  assertEquals((await evaluate(new RegexJudge([/bed C2/]))).score, 0);
  assertEquals((await evaluate(new RegexJudge([/bed C2/], { where: "all" }))).score, 1);
});

Deno.test("RegexJudge passes when every pattern is found in what was said", async () => {
  const transcript = said(null, "first", "", [
    { type: "text", text: "second" },
    { type: "image_url", image_url: { url: "data:image/png;base64,third" } },
  ]);
  const judge = new RegexJudge([/FIRST/i, /^first\n\nsecond$/]);
  assertEquals(await judge.evaluate(transcript, fakeContext()), scoring(1, {}, true));
});

Deno.test("RegexJudge names the patterns that are not found", async () => {
  const judge = new RegexJudge([/first/, /sec(ond)?x/, /third/]);
  assertEquals(
    await judge.evaluate(said("first", "images: third"), fakeContext()),
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
    assertEquals((await judge.evaluate(said("first"), fakeContext())).score, 1);
  }
  assertEquals([global.lastIndex, sticky.lastIndex], [5, 5]);
});

Deno.test("RegexJudge ends a search that does not end, and goes on with the next", async () => {
  const judge = new RegexJudge([CATASTROPHIC, /!/, /absent/], { timeoutMs: 300 });
  assertEquals(
    await judge.evaluate(said(ENDLESS), fakeContext()),
    scoring(0, {
      [CATASTROPHIC.source]: "not found: the search took longer than 0.3 s",
      absent: "not found",
    }, false),
  );
});

Deno.test("RegexJudge ends with the run", async () => {
  const controller = new AbortController();
  const judging = new RegexJudge([CATASTROPHIC]).evaluate(
    said(ENDLESS),
    fakeContext({ signal: controller.signal }),
  );
  controller.abort(new Error("the run is over"));
  await assertRejects(() => judging, Error, "the run is over");
});

Deno.test("RegexJudge refuses an empty list, what is not a RegExp and an unknown place", () => {
  assertThrows(() => new RegexJudge([]), TypeError, "at least one pattern");
  assertThrows(() => new RegexJudge(["text" as unknown as RegExp]), TypeError, "got string");
  const options = { where: "tools" } as unknown as RegexJudgeOptions;
  assertThrows(
    () => new RegexJudge([/a/], options),
    TypeError,
    "where must be assistant, last, all",
  );
});
