import { assertEquals, assertRejects } from "@std/assert";
import { ModelFailure } from "../../src/protocol/model_failure.ts";
import { IDS, patientTurn } from "./patient.ts";
import { callsOf } from "./wire/asking.ts";
import { data, named } from "./wire/format.ts";
import type { ScriptedTurn } from "./wire/script.ts";
import { wireServer } from "./wire/server.ts";

const CALL = { name: "bash", arguments: '{"command":"ls -l"}' };
const TURN: ScriptedTurn = {
  reasoning: "I think.",
  text: "Ünïcode wörds.",
  toolCalls: [CALL],
  usage: { input: 7, output: 9 },
};

/** Events that none of the APIs has. */
const UNKNOWN = [
  ": a comment\n\n",
  "event: ping\ndata: ping\n\n",
  "event: keep-alive\ndata: {oh\n\n",
  'event: usage\r\ndata: {"tokens":4}\r\n\r\n',
  named("vendor.new", { type: "vendor.new", index: 0, delta: { type: "new" } }),
  data({ type: "vendor.other", index: 99, object: "vendor.chunk", id: 7 }),
  data(["a list"]),
  "data:\n\n",
  "retry: 5\nid: 3\n\n",
];

/** The turn, where each event stands between those that are made of it. */
async function turnAmong(id: string, others: readonly string[], chunkBytes?: number) {
  const edit = (events: readonly string[]) => events.flatMap((event) => [...others, event]);
  await using server = wireServer([TURN], { edit, ...(chunkBytes ? { chunkBytes } : {}) });
  const { turn, told } = await patientTurn(server, id);
  const { content, reasoning_content } = turn.message;
  assertEquals(told, []);
  return { content, reasoning_content, calls: callsOf(turn), usage: turn.usage?.output_tokens };
}

const WHOLE = {
  content: "Ünïcode wörds.",
  reasoning_content: "I think.",
  calls: [["bash", CALL.arguments] as const],
  usage: 9,
};

for (const id of IDS) {
  for (const chunkBytes of [undefined, 1, 7]) {
    Deno.test(`faults 3.1: ${id} may say what nobody knows, in pieces of ${chunkBytes ?? "an event"}`, async () => {
      assertEquals(await turnAmong(id, UNKNOWN, chunkBytes), WHOLE);
    });
  }
}

/** Things of each API that may be new one day, in an event that the stream has besides. */
const NEW: Readonly<Record<string, readonly string[]>> = {
  "anthropic/claude-opus-4-8": [
    named("content_block_start", {
      type: "content_block_start",
      index: 40,
      content_block: { type: "hologram", light: [1] },
    }),
    named("content_block_delta", {
      type: "content_block_delta",
      index: 40,
      delta: { type: "text_delta", text: "not said" },
    }),
    named("content_block_delta", {
      type: "content_block_delta",
      index: 0,
      delta: { type: "gesture_delta", text: "not said" },
    }),
    named("content_block_stop", { type: "content_block_stop", index: 40 }),
  ],
  "openai/gpt-5.5": [
    named("response.output_item.added", {
      type: "response.output_item.added",
      output_index: 40,
      item: { type: "hologram", id: "h_1" },
    }),
    named("response.output_item.done", {
      type: "response.output_item.done",
      output_index: 40,
      item: { type: "hologram", id: "h_1" },
    }),
    named("response.output_text.annotation.added", {
      type: "response.output_text.annotation.added",
      annotation: { type: "hologram" },
    }),
  ],
  "gemini/gemini-3-pro-preview": [
    data({ candidates: [{ content: { parts: [{ hologram: 1 }], role: "model" }, index: 0 }] }),
    data({
      candidates: [{
        content: { parts: [{ inlineData: 7 }] },
        groundingMetadata: { groundingChunks: 7 },
        safetyRatings: "new",
      }],
      usageMetadata: { promptTokensDetails: "new" },
    }),
  ],
  "mistral/mistral-large-latest": [
    data({ id: "1", choices: [{ delta: { content: [{ type: "hologram" }] }, index: 0 }] }),
    data({ id: "1", choices: [] }),
  ],
  "deepseek/deepseek-chat": [
    data({
      choices: [{ delta: { role: "tool", content: [{ type: "hologram" }] }, finish_reason: "" }],
      error: null,
    }),
    data({ choices: [{ delta: { tool_calls: [{ index: 9, type: "custom", custom: {} }] } }] }),
  ],
};

for (const [id, others] of Object.entries(NEW)) {
  Deno.test(`faults 3.1: ${id} may say new things in events that are known`, async () => {
    // Gemini's tokens are those of the event before the end, which are none here.
    assertEquals(await turnAmong(id, others), WHOLE);
  });
}

Deno.test("faults 3.1: Anthropic may tell new things of a message and its end", async () => {
  const edit = (events: readonly string[]) =>
    events.map((event) =>
      event.replace('"stop_sequence":null}', '"stop_sequence":null,"container":7,"stop_details":7}')
        .replace('"type":"message_delta"', '"type":"message_delta","context_management":7')
        .replace('"output_tokens":9', '"output_tokens":9,"iterations":[{"type":"new"}]')
    );
  await using server = wireServer([TURN], { edit });
  const { turn, told } = await patientTurn(server, IDS[0]);
  assertEquals([told, turn.usage?.output_tokens, turn.finish_reason], [[], 9, "tool_calls"]);
});

Deno.test("faults 3.1: tokens may be told apart from the choices", async () => {
  const edit = (events: readonly string[]) =>
    events.map((event) =>
      event.replace('"choices":[],', "").replace(/^data: (.*"usage")/, "event: usage\ndata: $1")
    );
  await using server = wireServer([TURN], { edit });
  const { turn } = await patientTurn(server, "deepseek/deepseek-chat");
  assertEquals(turn.usage?.output_tokens, 9);
});

Deno.test("faults 3.1: a stream of nothing that is known is malformed, and shown", async () => {
  for (const id of IDS) {
    const edit = () => [data({ detail: "tenant is suspended" }), data("[DONE]")];
    await using server = wireServer(() => TURN, { edit });
    const failure = await assertRejects(() => patientTurn(server, id), ModelFailure);
    assertEquals([failure.kind, server.requests.length], ["malformed", 2]);
    assertEquals(failure.message.includes('{"detail":"tenant is suspended"}'), true);
  }
});
