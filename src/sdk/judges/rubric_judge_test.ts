import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { JudgeAnswer, JudgeQuestion } from "../../protocol/turn.ts";
import { fakeContext, fakeTranscript } from "../../../tests/support/fake_context.ts";
import { ModelFailure } from "../../protocol/model_failure.ts";
import { RubricJudgeError } from "./rubric_error.ts";
import { RubricJudge } from "./rubric_judge.ts";
import type { RubricJudgeOptions } from "./rubric_options.ts";
import type { RubricPart } from "./rubric_parts.ts";

const rubric = [
  { criterion: "It greets.", weight: 0.75 },
  { criterion: "It is shorter than a hundred words.", weight: "0.5" },
  { criterion: "It swears.", weight: -1 },
];
const one = rubric.slice(0, 1);
const context = [() => "hello"];

function answer(text: string, finish_reason: string | null = "stop"): JudgeAnswer {
  return { text, finish_reason, usage: null, model: "test/judge" };
}

/** Judges with a model that says these things in turn; returns the questions with the verdict. */
async function judged(
  options: RubricJudgeOptions,
  answers: readonly (JudgeAnswer | Error)[],
  transcript = fakeTranscript(),
) {
  const questions: JudgeQuestion[] = [];
  const warnings: string[] = [];
  const verdict = await new RubricJudge(options).evaluate(
    transcript,
    fakeContext({
      askJudge(question) {
        const next = answers[questions.push(question) - 1];
        if (next instanceof Error) return Promise.reject(next);
        return next ? Promise.resolve(next) : Promise.reject(new Error("one question too many"));
      },
      warn: (warning) => Promise.resolve(void warnings.push(warning)),
    }),
  );
  return { verdict, questions, warnings };
}

Deno.test("RubricJudge adds the weights of what is met, and says why", async () => {
  const { verdict, questions } = await judged({ rubric, context }, [
    answer("YES\nIt says hello."),
    answer("**yes**, indeed.\r\n\n One word.\nNo more. "),
    answer("NO"),
  ]);
  assertEquals(verdict, {
    score: 1.25,
    continue_task: true,
    metadata: {
      "criterion_0_It greets.": "✓: It says hello.",
      "criterion_1_It is shorter than a hundred w": "✓: One word.\nNo more.",
      "criterion_2_It swears.": "✗: no reason was given",
      context: "hello",
      final_score: "1.25",
      pass_threshold: "> 0",
    },
  });
  assertEquals(Object.keys(verdict.metadata).slice(-3), [
    "context",
    "final_score",
    "pass_threshold",
  ]);
  assertEquals(questions.length, 3);
  assert(questions.every(({ prompt }, index) => prompt.includes(rubric[index]!.criterion)));
});

Deno.test("RubricJudge asks with its model, key, temperature and room to think", async () => {
  const named = await judged(
    { rubric: one, context, model: "openai/gpt-5", apiKey: "$ACME_JUDGE_API_KEY", temperature: 0 },
    [answer("YES")],
  );
  const { prompt: _, ...asked } = named.questions[0]!;
  assertEquals(asked, {
    criterion: "It greets.",
    model: "openai/gpt-5",
    api_key: "$ACME_JUDGE_API_KEY",
    temperature: 0,
    max_output_tokens: 32_000,
  });
  const plain = await judged({ rubric: one, context }, [answer("YES")]);
  assertEquals(plain.questions[0]!.temperature, 0.3);
  assertEquals([plain.questions[0]!.model, plain.questions[0]!.api_key], [undefined, undefined]);
});

Deno.test("RubricJudge lets the run go on above its threshold only", async () => {
  for (const [continueThreshold, goesOn] of [[0.74, true], [0.75, false], [-1, true]] as const) {
    const { verdict } = await judged(
      { rubric: rubric.slice(0, 1), context, continueThreshold },
      [answer("YES")],
    );
    assertEquals(verdict.continue_task, goesOn);
    assertEquals(verdict.metadata.pass_threshold, `> ${continueThreshold}`);
  }
});

Deno.test("RubricJudge scores 0 and asks nothing when there is nothing to show", async () => {
  const nothing = { score: 0, metadata: { error: "there is nothing to judge" } };
  for (const context of [undefined, [], [() => "", () => Promise.resolve("")]]) {
    const { verdict } = await judged({ rubric, ...(context ? { context } : {}) }, []);
    assertEquals(verdict, { ...nothing, continue_task: false });
  }
});

Deno.test("RubricJudge joins what its providers show by blank lines", async () => {
  const providers = [() => "first", () => "", () => Promise.resolve("second")];
  const { verdict } = await judged({ rubric: rubric.slice(0, 1), context: providers }, [
    answer("NO\nno"),
  ]);
  assertEquals(verdict.metadata.context, "first\n\nsecond");
});

Deno.test("RubricJudge shows each part in a fence of its own, and titles in the metadata", async () => {
  const two: RubricPart[] = [{ title: "/a", text: "1" }, { title: "/b", text: "" }];
  const { verdict, questions } = await judged({ rubric: one, context: [() => two, () => "3"] }, [
    answer("NO"),
  ]);
  assertEquals(verdict.metadata.context, "=== /a ===\n1\n\n=== /b ===\n\n\n3");
  const fences = /<(student-data-.{32})>\n(1||3)\n<\/\1>\n/g;
  assertEquals([...questions[0]!.prompt.matchAll(fences)].map((found) => found[2]), ["1", "", "3"]);
});

Deno.test("RubricJudge lets no part push another out", async () => {
  const long = "x".repeat(100_000);
  const parts = [long, "short", "y".repeat(600)].map((text) => () => text);
  const { verdict } = await judged({ rubric: one, context: parts, maxContextBytes: 1_005 }, [
    answer("NO"),
  ]);
  const [first = "", second, third = ""] = verdict.metadata.context!.split("\n\n");
  assertEquals(second, "short");
  for (const [cut, letter] of [[first, "x"], [third, "y"]] as const) {
    assert(cut.includes("bytes are left out here"));
    assertEquals(cut.split(letter).length - 1, letter === "x" ? 500 : 501); // one in the note
  }
});

Deno.test("RubricJudge shows no more than its limit, and says what it leaves out", async () => {
  const { verdict, questions } = await judged({
    rubric: rubric.slice(0, 1),
    context: [() => `start${"é".repeat(5_000)}end`],
    maxContextBytes: 1_000,
  }, [answer("YES")]);
  const shown = verdict.metadata.context!;
  const [, dropped] = /\[(\d+) bytes are left out here\]/.exec(shown) ?? [];
  const kept = new TextEncoder().encode(shown).length -
    `\n[${dropped} bytes are left out here]\n`.length;
  assert(kept <= 1_000 && kept + Number(dropped) === 10_008, shown);
  assert(shown.startsWith("start") && shown.endsWith("end") && !shown.includes("\ufffd"));
  assert(questions[0]!.prompt.includes(shown));
});

Deno.test("RubricJudge escapes halves of surrogate pairs wherever they come from", async () => {
  const { verdict, questions } = await judged({
    rubric: [{ criterion: "\udc00 is met", weight: 1 }],
    context: [() => "a\ud83d b🥕"],
  }, [answer("YES\n\ud83d!")]);
  assertEquals(verdict.metadata["criterion_0_\\udc00 is met"], "✓: \\ud83d!");
  assertEquals(verdict.metadata.context, "a\\ud83d b🥕");
  assert(questions[0]!.prompt.isWellFormed());
});

const CONTROL = "The data says how many beds the garden has.";
const NEITHER = "its answer was neither YES nor NO (finish reason: stop)";

Deno.test("RubricJudge asks once more, shorter, where the answer is neither yes nor no", async () => {
  const { verdict, questions, warnings } = await judged({ rubric: one, context }, [
    answer("Yesterday it greeted."),
    answer("<think>Hm.</think>YES"),
  ]);
  assertEquals([verdict.score, warnings], [0.75, []]);
  assert(questions[1]!.prompt.endsWith("one word and nothing else: YES or NO."));
  assert(questions[1]!.prompt.includes("hello"));
  assertEquals(questions.map(({ criterion }) => criterion), ["It greets.", "It greets."]);
  assert(questions[1]!.max_output_tokens! < questions[0]!.max_output_tokens!);
});

Deno.test("RubricJudge counts no verdict against the student if the model can judge", async () => {
  const { verdict, questions, warnings } = await judged({ rubric, context }, [
    ...[answer("I can't help with that."), answer(" \n", "length"), answer("YES")],
    answer("YES\nIt is short."),
    ...[answer("Perhaps"), answer("Perhaps")], // the model is known to be able to judge
  ]);
  const nothing = "it returned no text (finish reason: length)";
  assertEquals(Object.values(verdict.metadata).slice(0, 3), [
    `✗: no verdict: ${nothing}`,
    "✓: It is short.",
    `✓: no verdict: ${NEITHER}`,
  ]);
  assertEquals([verdict.score, verdict.continue_task], [-0.5, false]);
  const may = "It can answer a control question, so the student may have brought this about";
  assertEquals(warnings, [
    `RubricJudge: "test/judge" gave no verdict on "criterion_0_It greets.": ${nothing}. ${may}: ` +
    "the criterion counts as not met",
    `RubricJudge: "test/judge" gave no verdict on "criterion_2_It swears.": ${NEITHER}. ${may}: ` +
    "the criterion counts as met, for its weight is negative",
  ]);
  const { prompt, criterion } = questions[2]!;
  assertEquals([criterion, prompt.includes("hello")], [CONTROL, false]);
});

Deno.test("RubricJudge fails where its model has no answer to a control question", async () => {
  for (const [control, told] of [["Perhaps", NEITHER], ["NO", "it answered NO"]] as const) {
    await assertRejects(
      () => judged({ rubric, context }, [answer("Maybe"), answer("Maybe"), answer(control)]),
      RubricJudgeError,
      `"test/judge" can't judge: ${NEITHER}; to a control question with the answer YES ${told}`,
    );
  }
});

Deno.test("RubricJudge tells a call that failed for what was shown from one that fails anyway", async () => {
  const tooLong = new ModelFailure("test/judge: too long", { kind: "context_length" });
  const filtered = new ModelFailure("test/judge: 400: content policy", { kind: "request" });
  const down = new ModelFailure("test/judge: 503", { kind: "provider" });
  for (const failure of [tooLong, filtered]) {
    const { verdict, warnings } = await judged({ rubric: one, context }, [failure, answer("YES")]);
    assertEquals([verdict.score, warnings.length], [0, 1]);
    assertEquals(verdict.metadata["criterion_0_It greets."], `✗: no verdict: ${failure.message}`);
    const anyway = () => judged({ rubric: one, context }, [failure, failure]);
    await assertRejects(anyway, ModelFailure, failure.message);
  }
  await assertRejects(() => judged({ rubric: one, context }, [down]), ModelFailure, "503");
  const answers = [answer("Maybe"), answer("Maybe"), down];
  await assertRejects(() => judged({ rubric: one, context }, answers), ModelFailure, "503");
  await assertRejects(() => judged({ rubric, context }, []), Error, "one question too many");
});

Deno.test("RubricJudge asks nothing more once the run is over", async () => {
  const controller = new AbortController();
  let asked = 0;
  const judging = new RubricJudge({ rubric, context }).evaluate(
    fakeTranscript(),
    fakeContext({
      signal: controller.signal,
      askJudge(_question, signal) {
        asked += 1;
        assertEquals(signal, controller.signal);
        controller.abort(new Error("the run is over"));
        return Promise.resolve(answer("YES"));
      },
    }),
  );
  await assertRejects(() => judging, Error, "the run is over");
  assertEquals(asked, 1);
});

Deno.test("RubricJudge takes the name of a key and never a key", () => {
  for (const apiKey of ["$OPENAI_API_KEY", "$HF_API_KEY", "$A_API_KEY"]) {
    new RubricJudge({ rubric, apiKey });
  }
  const secret = "sk-proj-0123456789";
  for (
    const apiKey of [
      secret,
      `$${secret}`,
      "",
      "$",
      "$HOME",
      "$_API_KEY",
      "$HF_TOKEN",
      "$AWS_SECRET_ACCESS_KEY",
      "$openai_api_key",
      "OPENAI_API_KEY",
    ]
  ) {
    const error = assertThrows(
      () => new RubricJudge({ rubric, apiKey }),
      TypeError,
      "keys never belong into an environment",
    );
    assertEquals(error.message.includes(secret), false);
  }
  for (const apiKey of ["$A_API_KEY\n", "$A_API_KEY $B_API_KEY", null, 1]) {
    assertThrows(() => new RubricJudge({ rubric, apiKey: apiKey as string }), TypeError, "apiKey");
  }
});

Deno.test("RubricJudge refuses options that are none", () => {
  const criterion = "It greets.";
  const cases: [Partial<Record<keyof RubricJudgeOptions, unknown>>, string][] = [
    [{ rubric: [] }, "at least one criterion"],
    [{ rubric: [{ criterion: " ", weight: 1 }] }, "criterion 0 has no text"],
    [{ rubric: [rubric[0], { criterion, weight: "half" }] }, 'criterion 1 is no number: "half"'],
    [{ rubric: [{ criterion, weight: " " }] }, "no number"],
    [{ rubric: [{ criterion, weight: Infinity }] }, "no number"],
    [{ rubric: [{ criterion }] }, "no number"],
    [{ model: "" }, "model must be an id"],
    [{ temperature: 2.5 }, "temperature must be a number from 0 to 2: it is 2.5"],
    [{ temperature: "0.3" }, "temperature"],
    [{ continueThreshold: NaN }, "continueThreshold must be a number: it is NaN"],
    [{ maxContextBytes: 2 ** 21 }, "maxContextBytes must be a number from 1 to 1048576"],
  ];
  for (const [options, message] of cases) {
    // The cast lets the test say what the types forbid.
    const wrong = { rubric, ...options } as RubricJudgeOptions;
    assertThrows(() => new RubricJudge(wrong), TypeError, message);
  }
});

Deno.test("RubricJudge says which of its questions an unclear answer is the reason of", async () => {
  const unclear = answer("Perhaps.");
  const { questions } = await judged({ rubric: rubric.slice(0, 2), context }, [
    ...[unclear, unclear, answer("YES")],
    ...[unclear, answer("NO")],
  ]);
  assertEquals(questions.map(({ repeated }) => repeated), [
    ...[undefined, true, true],
    ...[undefined, true],
  ]);
});
