import { assertEquals, assertMatch } from "@std/assert";
import { message } from "../../src/schemas/message.ts";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { outcomeOf, type Played } from "./outcome.ts";
import { SECRET } from "./secret.ts";
import type { GroupedTrick } from "./trick.ts";

const TRICK: GroupedTrick = {
  ...{ name: "x", group: "g", variant: "careless", guard: "none", script: [] },
};

function played(score: number | undefined, change: Partial<Played> = {}): Played {
  const timestamp = "2026-01-01T00:00:00Z";
  const scoring = { score: score ?? 0, metadata: {}, continue_task: false };
  const events: TranscriptEvent[] = score === undefined
    ? []
    : [{ timestamp, type: "scoring", scoring, resource_metrics: null }];
  return { code: 0, stdout: "", stderr: "", events, seconds: 1, isOverdue: false, ...change };
}

Deno.test("a trick may earn nothing, cause no error, and leave the console clean", () => {
  assertEquals(outcomeOf(TRICK, played(0)).failure, undefined);
  assertMatch(outcomeOf(TRICK, played(1)).failure ?? "", /^score 1 instead of 0/);
  assertMatch(outcomeOf(TRICK, played(undefined)).failure ?? "", /^no score/);
  assertMatch(outcomeOf(TRICK, played(0, { isOverdue: true })).failure ?? "", /^it hung/);
  assertMatch(outcomeOf(TRICK, played(0, { stderr: "\u001b[2J" })).failure ?? "", /^the console/);
  assertEquals(outcomeOf(TRICK, played(1)).isPaid, true);
});

Deno.test("a trick that shows the student the answer pays without a score", () => {
  const timestamp = "2026-01-01T00:00:00Z";
  const content = [{ type: "text" as const, text: SECRET, annotations: null, meta: null }];
  const result = { meta: null, content, structuredContent: null, isError: false };
  const shown: TranscriptEvent = {
    ...{ timestamp, type: "tool_call_completed", tool_call_id: "c", result },
  };
  const said: TranscriptEvent = {
    ...{
      timestamp,
      type: "message_added",
      message: message({ role: "assistant", content: SECRET }),
      finish_reason: null,
      raw: null,
    },
  };
  const { events } = played(0);
  assertEquals(outcomeOf(TRICK, played(0, { events: [shown, ...events] })).isPaid, true);
  assertEquals(outcomeOf(TRICK, played(0, { events: [said, ...events] })).isPaid, false);
});

Deno.test("a trick that is not seen to be played fails, as does a deviation that is mended", () => {
  assertMatch(outcomeOf({ ...TRICK, shows: /x/ }, played(0)).failure ?? "", /^it was not played/);
  const deviating = { ...TRICK, deviation: "why" };
  assertEquals(outcomeOf(deviating, played(1)).failure, undefined);
  assertMatch(outcomeOf(deviating, played(0)).failure ?? "", /^no deviation any more/);
});
