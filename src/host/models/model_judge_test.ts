import { assertEquals, assertRejects } from "@std/assert";
import { ModelFailure } from "../../protocol/model_failure.ts";
import type { ModelRequest } from "../../models/model.ts";
import { runConfigSchema } from "../../schemas/run_config.ts";
import { Redactor } from "../../records/redactor.ts";
import { JudgeRefusal } from "./judge_allowance.ts";
import { ModelJudge } from "./model_judge.ts";

const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_read_tokens: 3,
  cache_write_tokens: null,
  estimated: false,
  service_tier: null,
};

/** Each answer ends for the next of the reasons, the last one again and again. */
function judgeModels(asked: ModelRequest[], reasons: readonly string[] = ["stop"]): ModelJudge {
  const config = runConfigSchema.parse({ run_id: "r", task_id: "t", model: "openai/gpt-5" });
  return new ModelJudge({
    run: {
      config,
      index: 0,
      redactor: new Redactor([]),
      told: () => {},
      external: () => undefined,
    },
    keyOptions: { env: () => "sk-0123456789" },
    allowed: [],
    open: (id) => {
      const ask = (request: ModelRequest) => {
        const finish_reason = reasons[Math.min(asked.length, reasons.length - 1)]!;
        asked.push({ ...request, messages: [...request.messages] });
        const { messages: [question] } = request;
        const message = { ...question!, role: "assistant" as const, content: "YES" };
        return Promise.resolve({ message, finish_reason, usage: USAGE });
      };
      return Promise.resolve({ id, ask });
    },
  });
}

Deno.test("a judge's question is the whole conversation, without tools", async () => {
  const asked: ModelRequest[] = [];
  const models = judgeModels(asked);
  const { signal } = new AbortController();
  const answer = await models.answer({ prompt: "Is it?", temperature: 0 }, signal);
  assertEquals(answer, {
    ...{ text: "YES", finish_reason: "stop", usage: USAGE, model: "openai/gpt-5" },
  });
  const [request] = asked;
  assertEquals(request?.messages.map(({ content }) => content), ["Is it?"]);
  assertEquals([request?.tools, request?.temperature, request?.signal === signal], [[], 0, true]);
});

Deno.test("a question that no model can read is not sent, and counts", async () => {
  const asked: ModelRequest[] = [];
  const models = judgeModels(asked);
  const prompt = "x".repeat(16 * 1024 * 1024 + 1);
  const { signal } = new AbortController();
  await assertRejects(() => models.answer({ prompt }, signal), JudgeRefusal, "16777217 characters");
  assertEquals([asked.length, models.spent?.input], [0, 0]);
});

Deno.test("faults 3.7: a judge's answer that pauses goes on, and a full context is told", async () => {
  const { signal } = new AbortController();
  const asked: ModelRequest[] = [];
  const paused = judgeModels(asked, ["pause_turn", "stop"]);
  const answer = await paused.answer({ prompt: "Is it?" }, signal);
  assertEquals([answer.text, answer.finish_reason], ["YESYES", "stop"]);
  assertEquals(answer.usage, {
    ...{ ...USAGE, input_tokens: 200, output_tokens: 40, cache_read_tokens: 6 },
  });
  assertEquals(asked.map(({ messages }) => messages.map(({ content }) => content)), [
    ["Is it?"],
    ["Is it?", "YES"],
  ]);
  const endless = judgeModels([], ["pause_turn"]).answer({ prompt: "?" }, signal);
  await assertRejects(() => endless, ModelFailure, "paused 11 times in one answer");
  const full = judgeModels([], ["model_context_window_exceeded"]).answer({ prompt: "?" }, signal);
  assertEquals((await assertRejects(() => full, ModelFailure)).kind, "context_length");
});
