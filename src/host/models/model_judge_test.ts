import { assert, assertEquals, assertRejects } from "@std/assert";
import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import { costOf } from "../../models/cost.ts";
import type { ModelRequest } from "../../models/model.ts";
import type { JudgeQuestion, Usage } from "../../protocol/turn.ts";
import { runConfigSchema } from "../../schemas/run_config.ts";
import { Redactor } from "../../records/redactor.ts";
import type { JudgeUsageEvent, NewEvent } from "../../schemas/transcript.ts";
import type { JudgeCeilings } from "./judge_budget.ts";
import { JudgeRefusal } from "./judge_refusal.ts";
import { ModelJudge } from "./model_judge.ts";

const { signal } = new AbortController();

interface JudgeSetup {
  readonly ceilings?: Partial<JudgeCeilings>;
  readonly model?: string;
  readonly usage?: Usage | null;
  readonly recorded?: NewEvent[];
  readonly secrets?: readonly string[];
  /** The model's answer. */
  readonly content?: string;
  /** What the model fails with. */
  readonly failure?: Error;
}

function judgeModels(asked: ModelRequest[], setup: JudgeSetup = {}): ModelJudge {
  const {
    ceilings,
    model = "openai/gpt-5",
    usage = null,
    recorded = [],
    secrets = [],
    content = "YES",
  } = setup;
  const config = runConfigSchema.parse({ run_id: "r", task_id: "t", model, ...ceilings });
  return new ModelJudge({
    config,
    redactor: new Redactor(secrets),
    keyOptions: { readVariable: () => "sk-0123456789" },
    allowed: [],
    judgeKeys: [],
    open: (id) => {
      const ask = (request: ModelRequest) => {
        asked.push(request);
        if (setup.failure !== undefined) return Promise.reject(setup.failure);
        const { messages: [question] } = request;
        const message = { ...question!, role: "assistant" as const, content };
        return Promise.resolve({ message, finish_reason: "stop", usage });
      };
      return Promise.resolve({ id, ask });
    },
    record: (event) => Promise.resolve(void recorded.push(event)),
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

Deno.test("a question that no model can read is not sent, and does not count", async () => {
  const asked: ModelRequest[] = [];
  const recorded: NewEvent[] = [];
  const models = judgeModels(asked, { recorded, ceilings: { max_judge_questions: 1 } });
  const prompt = "x".repeat(16 * 1024 * 1024 + 1);
  await assertRejects(() => models.answer({ prompt }, signal), JudgeRefusal, "16777217 characters");
  assertEquals([asked.length, recorded.length], [0, 0]);
  await models.answer({ prompt: "?" }, signal);
});

Deno.test("judges have a number of questions in a run, and none after that", async () => {
  const asked: ModelRequest[] = [];
  const models = judgeModels(asked, { ceilings: { max_judge_questions: 2 } });
  await models.answer({ prompt: "One?" }, signal);
  await models.answer({ prompt: "Two?" }, signal);
  for (let round = 0; round < 2; round++) {
    const third = () => models.answer({ prompt: "Three?" }, signal);
    await assertRejects(
      third,
      JudgeRefusal,
      "ceiling of 2 questions (2 were asked): raise it with --max-judge-questions",
    );
  }
  assertEquals(asked.length, 2);
});

Deno.test("judges have a thousand questions unless told otherwise", async () => {
  const models = judgeModels([]);
  for (let asked = 0; asked < 1_000; asked++) await models.answer({ prompt: "?" }, signal);
  await assertRejects(
    () => models.answer({ prompt: "?" }, signal),
    JudgeRefusal,
    "1,000 questions",
  );
});

Deno.test("second and control questions end no run: a student can bring them about", async () => {
  const asked: ModelRequest[] = [];
  const usage = { ...USAGE, input_tokens: 9_000 };
  const setup = { usage, ceilings: { max_judge_questions: 500, max_judge_tokens: 500 * 9_005 } };
  const models = judgeModels(asked, setup);
  // As RubricJudge does for 500 criteria whose answers are all unclear, each in its own evaluation.
  for (let criterion = 0; criterion < 500; criterion++) {
    await models.answer({ prompt: "One?" }, signal);
    await models.answer({ prompt: "Again?", repeated: true }, signal);
    await models.answer({ prompt: "Control?", repeated: true }, signal);
  }
  assertEquals(asked.length, 1_500);
  const more = (repeated: boolean) => () => models.answer({ prompt: "?", repeated }, signal);
  await assertRejects(more(false), JudgeRefusal, "500 questions");
  // Nor is it a way around the ceiling.
  await assertRejects(more(true), JudgeRefusal, "500 questions");
});

Deno.test("what is said to be repeated counts where nothing was asked before", async () => {
  const models = judgeModels([], { ceilings: { max_judge_questions: 1 } });
  for (let free = 0; free < 3; free++) await models.answer({ prompt: "?", repeated: true }, signal);
  const more = () => models.answer({ prompt: "?", repeated: true }, signal);
  await assertRejects(more, JudgeRefusal, "1 questions");
});

Deno.test("judges have five million tokens in a run unless told otherwise", async () => {
  const asked: ModelRequest[] = [];
  const usage = { ...USAGE, input_tokens: 2_000_000, output_tokens: 500_000 };
  const models = judgeModels(asked, { usage });
  const ask = () => models.answer({ prompt: "?" }, signal);
  await ask();
  await ask();
  const { message } = await assertRejects(ask, JudgeRefusal);
  assertEquals(
    message,
    "The judges of this run reached their ceiling of 5,000,000 tokens (5,000,000 were used): " +
      'raise it with --max-judge-tokens, or "max_judge_tokens" in the run config',
  );
  assertEquals(asked.length, 2);
});

Deno.test("tokens that no provider tells are counted by the length of the texts", async () => {
  const models = judgeModels([], { ceilings: { max_judge_tokens: 100 }, content: "y".repeat(200) });
  const ask = () => models.answer({ prompt: "x".repeat(100) }, signal);
  await ask();
  await ask();
  await assertRejects(ask, JudgeRefusal, "(150 were used)");
});

Deno.test("questions at the same time are counted while they are asked", async () => {
  const asked: ModelRequest[] = [];
  const models = judgeModels(asked, { ceilings: { max_judge_tokens: 100 } });
  const all = Array.from(
    { length: 10 },
    () => models.answer({ prompt: "x".repeat(400) }, signal),
  );
  const settled = await Promise.allSettled(all);
  assertEquals(settled.filter(({ status }) => status === "fulfilled").length, 1);
  assertEquals(asked.length, 1);
});

Deno.test("judges may cost what the user says, repeated questions included", async () => {
  const asked: ModelRequest[] = [];
  const { price } = modelSpec("openai/gpt-5");
  const cost = costOf(USAGE, price!);
  const models = judgeModels(asked, { usage: USAGE, ceilings: { max_judge_cost: 1.5 * cost } });
  await models.answer({ prompt: "?" }, signal);
  await models.answer({ prompt: "?", repeated: true }, signal);
  for (const repeated of [false, true]) {
    await assertRejects(
      () => models.answer({ prompt: "?", repeated }, signal),
      JudgeRefusal,
      `($${(2 * cost).toFixed(4)} were spent): raise it with --max-judge-cost`,
    );
  }
  assertEquals(asked.length, 2);
});

Deno.test("a model whose price nobody knows is not asked where its cost is limited", async () => {
  const asked: ModelRequest[] = [];
  const models = judgeModels(asked, { model: "acme/x", ceilings: { max_judge_cost: 1 } });
  const ask = () => models.answer({ prompt: "?" }, signal);
  await assertRejects(ask, JudgeRefusal, "its price is not known");
  assertEquals(asked.length, 0);
});

const USAGE: Usage = {
  input_tokens: 100,
  output_tokens: 5,
  cache_read_tokens: 80,
  cache_write_tokens: null,
  estimated: false,
  service_tier: null,
};

/** The metadata of the event of a question. */
async function recordedOf(question: JudgeQuestion, setup: JudgeSetup = {}) {
  const recorded: NewEvent[] = [];
  const answer = judgeModels([], { ...setup, recorded }).answer(question, signal);
  if (setup.failure === undefined) await answer;
  else await assertRejects(() => answer, Error, setup.failure.message);
  const [event] = recorded;
  assertEquals([event?.type, recorded.length], ["judge_usage", 1]);
  return (event as JudgeUsageEvent).metadata; // its type was compared
}

Deno.test("faults 2.6: each question of a judge is an event with what it took and cost", async () => {
  const { price } = modelSpec("openai/gpt-5");
  const question = { prompt: "hello\n", criterion: "It greets." };
  const event = {
    model: "openai/gpt-5",
    criterion: "It greets.",
    question_sha256: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
    question: "hello\n",
    answer: "YES",
    ...{ input_tokens: 100, output_tokens: 5, cache_read_tokens: 80, cache_write_tokens: null },
    cost: costOf(USAGE, price!),
  };
  assertEquals(await recordedOf(question, { usage: USAGE }), event);
  const unknown = { cache_read_tokens: null, cost: null };
  assertEquals(await recordedOf({ prompt: "hello\n" }), {
    ...{ ...event, ...unknown, criterion: null, input_tokens: null, output_tokens: null },
  });
});

Deno.test("faults 2.6: a question that failed is an event too", async () => {
  const { answer, cost } = await recordedOf({ prompt: "?" }, { failure: new Error("no model") });
  assertEquals([answer, cost], [null, null]);
});

Deno.test("faults 2.6: events of questions hold a part of long texts, and no part of a secret", async () => {
  const secret = "sk-0123456789abcdef";
  for (let length = 2048 - secret.length; length <= 2048; length++) {
    const long = `${"x".repeat(length)}${secret}${"y".repeat(100_000)}`;
    const setup = { secrets: [secret], content: `${"x".repeat(6_144)}${long}` };
    const event = await recordedOf({ prompt: long, criterion: long }, setup);
    for (const text of [event.question, event.criterion!, event.answer!]) {
      assert(!text.includes("sk-0"), text);
      assert(text.length < 17_000 && text.includes("bytes are left out here"));
    }
  }
});
