import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { JudgeUsage } from "../../src/schemas/judge_usage.ts";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import type { ScriptedTurn } from "../models/wire/script.ts";
import { wireServer } from "../models/wire/server.ts";
import { probeTask, readEvents, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

const KEY = "sk-test-0123456789abcdef";

const RUBRIC = `new sdk.RubricJudge({
  rubric: [{ criterion: "It greets.", weight: 1 }],
  context: [sdk.transcript()],
})`;

/** Runs task "probe" with a model that says `Hello.` as the student; `judge` answers prompts. */
async function judged(judge: string, answer: (prompt: string) => ScriptedTurn, before = "") {
  await using environment = await testEnvironment({
    "tasks/probe.ts": probeTask(judge, { before }),
  });
  await using server = wireServer(({ body }) => {
    const { messages, tools } = body as { messages: { content: unknown }[]; tools?: unknown[] };
    const prompt = JSON.stringify(messages.at(-1)?.content);
    return tools === undefined
      ? answer(prompt)
      : { text: "Hello.", usage: { input: 0, output: 0 } };
  });
  const model = ["--model", "anthropic/claude-opus-5", "--proxy", server.url];
  const said = await karotte(["run", "--task", "probe", "--run-id", "r1", ...model], {
    cwd: environment.path,
    env: { ANTHROPIC_API_KEY: KEY },
  });
  const events = await readEvents(environment.path);
  return { ...said, events, usages: usagesOf(events) };
}

function usagesOf(events: readonly TranscriptEvent[]): JudgeUsage[] {
  return events.flatMap((event) => event.type === "judge_usage" ? [event.metadata] : []);
}

function scoresOf(events: readonly TranscriptEvent[]): number[] {
  return events.flatMap((event) => event.type === "scoring" ? [event.scoring.score] : []);
}

Deno.test("faults 2.6: what a rubric judge's questions cost stands in the transcript", async () => {
  const { code, stdout, stderr, events, usages } = await judged(
    RUBRIC,
    () => ({ text: `**YES**\nIt says hello, ${KEY}.`, usage: { input: 1000, output: 20 } }),
  );
  assertEquals([code, scoresOf(events)], [0, [1]], stderr);
  const [{ question, question_sha256, cost, ...usage }] = usages as [JudgeUsage];
  assertEquals(usage, {
    model: "anthropic/claude-opus-5",
    criterion: "It greets.",
    answer: "**YES**\nIt says hello, [redacted].",
    ...{ input_tokens: 1000, output_tokens: 20, cache_read_tokens: 0, cache_write_tokens: 0 },
  });
  assert(cost !== null && cost > 0);
  assertMatch(question_sha256, /^[0-9a-f]{64}$/);
  assertStringIncludes(question, "[assistant]: Hello.");
  assertEquals(usages.length, 1);
  assertStringIncludes(stdout, `  judges: 1,000 tokens in, 20 out, $${cost.toFixed(4)}\n`);
  assert(!/\b0 tokens/.test(stdout + stderr), stdout + stderr);
  const types = events.map(({ type }) => type);
  assert(types.indexOf("judge_usage") < types.indexOf("scoring"));
});

Deno.test("faults 2.6: so does what a judge of one's own asks", async () => {
  const { code, stderr, usages } = await judged(
    "new Asking()",
    () => ({ text: "42" }),
    `class Asking extends Judge {
      override async evaluate(_transcript, context) {
        return scoring(Number((await context.askJudge({ prompt: "What is it?" })).text));
      }
    }`,
  );
  assertEquals(code, 0, stderr);
  assertEquals(usages.map(({ criterion, question, answer }) => [criterion, question, answer]), [
    [null, "What is it?", "42"],
  ]);
});

Deno.test("no verdict is a score with a warning where the judge's model can judge", async () => {
  const { code, stderr, events, usages } = await judged(
    RUBRIC,
    (prompt) => ({ text: prompt.includes("beds") ? "<think>Easy.</think>**YES**" : "Yesterday." }),
  );
  assertEquals([code, scoresOf(events)], [0, [0]], stderr);
  assertEquals(usages.map(({ answer }) => answer), [
    "Yesterday.",
    "Yesterday.",
    "<think>Easy.</think>**YES**",
  ]);
  assert(!usages[2]?.question.includes("Hello."));
  const warnings = events.flatMap((event) =>
    event.type === "warning" ? [event.metadata.warning] : []
  );
  const [warning = ""] = warnings;
  assertStringIncludes(warning, 'gave no verdict on "criterion_0_It greets."');
  assertEquals(warnings.length, 1);
  assertStringIncludes(stderr, `warning: RubricJudge: "anthropic/claude-opus-5" gave no verdict`);
});

Deno.test("no verdict is an error where the judge's model can't judge", async () => {
  const { code, stderr, events } = await judged(RUBRIC, () => ({ text: "Certainly!" }));
  assertEquals([code, scoresOf(events)], [1, []], stderr);
  const errors = events.flatMap((event) => event.type === "error" ? [event.exception_type] : []);
  assertEquals(errors, ["RubricJudgeError"]);
});
