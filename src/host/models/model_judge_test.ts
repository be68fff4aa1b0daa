import { assertEquals, assertRejects } from "@std/assert";
import type { ModelRequest } from "../../models/model.ts";
import { runConfigSchema } from "../../schemas/run_config.ts";
import { Redactor } from "../../records/redactor.ts";
import { JudgeRefusal } from "./judge_allowance.ts";
import { ModelJudge } from "./model_judge.ts";

function judgeModels(asked: ModelRequest[]): ModelJudge {
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
        asked.push(request);
        const { messages: [question] } = request;
        const message = { ...question!, role: "assistant" as const, content: "YES" };
        return Promise.resolve({ message, finish_reason: "stop", usage: null });
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
  assertEquals(answer, { text: "YES", finish_reason: "stop", usage: null, model: "openai/gpt-5" });
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
  assertEquals([asked.length, models.spent?.input_tokens], [0, 0]);
});
