import { assertEquals, assertRejects } from "@std/assert";
import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import { costOf } from "../../models/cost.ts";
import type { ModelRequest } from "../../models/model.ts";
import type { Usage } from "../../protocol/turn.ts";
import { runConfigSchema } from "../../schemas/run_config.ts";
import { Redactor } from "../../records/redactor.ts";
import { JudgeRefusal } from "./judge_refusal.ts";
import { ModelJudge } from "./model_judge.ts";

const { signal } = new AbortController();

function judgeModels(
  asked: ModelRequest[],
  { mostQuestions, usage = null }: { mostQuestions?: number; usage?: Usage | null } = {},
): ModelJudge {
  const config = runConfigSchema.parse({ run_id: "r", task_id: "t", model: "openai/gpt-5" });
  return new ModelJudge({
    config,
    redactor: new Redactor([]),
    ...(mostQuestions === undefined ? {} : { mostQuestions }),
    keyOptions: { readVariable: () => "sk-0123456789" },
    allowed: [],
    open: (id) => {
      const ask = (request: ModelRequest) => {
        asked.push(request);
        const { messages: [question] } = request;
        const message = { ...question!, role: "assistant" as const, content: "YES" };
        return Promise.resolve({ message, finish_reason: "stop", usage });
      };
      return Promise.resolve({ id, ask });
    },
  });
}

Deno.test("a judge's question is the whole conversation, without tools", async () => {
  const asked: ModelRequest[] = [];
  const models = judgeModels(asked);
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
  await assertRejects(() => models.answer({ prompt }, signal), JudgeRefusal, "16777217 characters");
  assertEquals([asked.length, models.spent?.input_tokens], [0, 0]);
});

Deno.test("judges have a number of questions in a run, and none after that", async () => {
  const asked: ModelRequest[] = [];
  const models = judgeModels(asked, { mostQuestions: 2 });
  await models.answer({ prompt: "One?" }, signal);
  await models.answer({ prompt: "Two?" }, signal);
  for (let round = 0; round < 2; round++) {
    const third = () => models.answer({ prompt: "Three?" }, signal);
    await assertRejects(third, JudgeRefusal, "had their 2 questions");
  }
  assertEquals(asked.length, 2);
});

Deno.test("judges have a thousand questions unless told otherwise", async () => {
  const models = judgeModels([]);
  for (let asked = 0; asked < 1_000; asked++) await models.answer({ prompt: "?" }, signal);
  await assertRejects(() => models.answer({ prompt: "?" }, signal), JudgeRefusal, "1000 questions");
});

Deno.test("what judges' answers take is added up, and its cost only if all of it is known", async () => {
  const usage: Usage = {
    input_tokens: 100,
    output_tokens: 5,
    cache_read_tokens: 80,
    cache_write_tokens: null,
    estimated: false,
    service_tier: null,
  };
  const models = judgeModels([], { usage });
  assertEquals(models.spent, null);
  for (let asked = 0; asked < 2; asked++) await models.answer({ prompt: "?" }, signal);
  const { price } = modelSpec("openai/gpt-5");
  const total = { ...usage, input_tokens: 200, output_tokens: 10, cache_read_tokens: 160 };
  const { estimated: _, service_tier: __, ...tokens } = total;
  assertEquals(models.spent, { ...tokens, cost: costOf(total, price!) });
  const unknown = judgeModels([]);
  await unknown.answer({ prompt: "?" }, signal);
  assertEquals(unknown.spent?.cost, null);
});
