import { assertEquals, assertRejects } from "@std/assert";
import { assistant, request, user } from "../../../tests/models/wire/asking.ts";
import type { Model, ModelRequest } from "../../models/model.ts";
import { ModelFailure } from "../../protocol/model_failure.ts";
import type { Usage } from "../../protocol/turn.ts";
import { wholeAnswer } from "./whole_answer.ts";

const USAGE: Usage = {
  input_tokens: 100,
  output_tokens: 20,
  cache_read_tokens: 3,
  cache_write_tokens: null,
  estimated: false,
  service_tier: null,
};

/** Asks a model whose turns end for these reasons, the last one again and again. */
async function answerOf(...reasons: readonly string[]) {
  const asked: ModelRequest[] = [];
  const told: (Usage | null)[] = [];
  const model: Model = {
    id: "x/y",
    ask(request) {
      const finish_reason = reasons[Math.min(asked.length, reasons.length - 1)]!;
      asked.push(request);
      const message = assistant({ content: `Part ${asked.length}. ` });
      return Promise.resolve({ message, finish_reason, usage: USAGE });
    },
  };
  const onUsage = (usage: Usage | null) => void told.push(usage);
  const answer = await wholeAnswer(model, { request: request([user("Is it?")]), onUsage });
  return { answer, asked: asked.map(({ messages }) => messages.length), told };
}

Deno.test("faults 3.7: a judge's answer that pauses goes on and is one text", async () => {
  const { answer, asked, told } = await answerOf("pause_turn", "stop");
  assertEquals(answer, {
    text: "Part 1. Part 2. ",
    finish_reason: "stop",
    usage: { ...USAGE, input_tokens: 200, output_tokens: 40, cache_read_tokens: 6 },
  });
  assertEquals([asked, told], [[1, 2], [USAGE, USAGE]]);
});

Deno.test("faults 3.7: a judge's answer that has no end fails, and says why", async () => {
  await assertRejects(() => answerOf("pause_turn"), ModelFailure, "x/y: the model paused 11 times");
  const full = await assertRejects(
    () => answerOf("model_context_window_exceeded"),
    ModelFailure,
    "context was full",
  );
  assertEquals(full.kind, "context_length");
});
