import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type EvaluationRunConfigInput, runConfigSchema } from "../../schemas/run_config.ts";
import type { JudgeKey } from "../environment/environment_settings.ts";
import { judgeKeyFor } from "./judge_keys.ts";
import { JudgeRefusal } from "./judge_refusal.ts";

const VARIABLES: Record<string, string> = {
  OPENAI_API_KEY: "openai-key",
  ANTHROPIC_API_KEY: "anthropic-key",
  ACME_JUDGE_API_KEY: "acme-key",
  AWS_PROFILE: "not for judges",
};

interface Setup {
  readonly config?: Partial<EvaluationRunConfigInput>;
  readonly reference?: string;
  readonly variables?: Record<string, string>;
  readonly proxied?: boolean;
  readonly judgeKeys?: readonly JudgeKey[];
}

const ACME = [{ variable: "ACME_JUDGE_API_KEY", provider: "openai" }];

function keyFor(
  model: string,
  { config, reference, variables, proxied, judgeKeys = [] }: Setup = {},
) {
  const values = variables ?? VARIABLES;
  const fields = { run_id: "r", task_id: "t", model: "openai/gpt-5", ...config };
  return judgeKeyFor(model, {
    question: { api_key: reference },
    config: runConfigSchema.parse(fields),
    judgeKeys,
    readVariable: (name) => values[name],
    ...(proxied ? { proxied } : {}),
  }).key;
}

Deno.test("a judge's model has the key of the run only with the run's provider", () => {
  const config = { model_api_key: "run-key" };
  assertEquals(keyFor("openai/gpt-5", { config }), "run-key");
  assertEquals(keyFor("openai/gpt-5-mini", { config }), "run-key");
  assertEquals(keyFor("anthropic/claude-opus-5", { config }), "anthropic-key");
  assertEquals(keyFor("openai/gpt-5"), "openai-key");
});

Deno.test("a judge's model has the key that is set for judges only with their provider", () => {
  const config = {
    model_api_key: "run-key",
    rubric_judge_model: "claude-opus-5",
    rubric_judge_api_key: "judge-key",
  };
  assertEquals(keyFor("claude-opus-5", { config }), "judge-key");
  assertEquals(keyFor("anthropic/claude-haiku-5", { config }), "judge-key");
  assertEquals(keyFor("openai/gpt-5", { config }), "openai-key");
});

Deno.test("naming the run's own model for judges gives them the provider's variable", () => {
  const config = { model_api_key: "run-key", rubric_judge_model: "openai/gpt-5" };
  assertEquals(keyFor("openai/gpt-5", { config }), "openai-key");
});

Deno.test("a judge's own variable wins, if it looks like one for a key", () => {
  const config = { model_api_key: "run-key" };
  const reference = "$ACME_JUDGE_API_KEY";
  assertEquals(keyFor("openai/gpt-5", { config, reference, judgeKeys: ACME }), "acme-key");
  for (
    const reference of ["$AWS_PROFILE", "acme-key", "$", "ACME_JUDGE_API_KEY", "$HOME/A_API_KEY"]
  ) {
    const error = assertThrows(() => keyFor("openai/gpt-5", { reference }), JudgeRefusal);
    assertEquals(error.message.includes(reference === "$" ? "acme" : reference), false);
  }
  assertThrows(
    () => keyFor("openai/gpt-5", { reference, judgeKeys: ACME, variables: {} }),
    JudgeRefusal,
    `"openai/gpt-5": ACME_JUDGE_API_KEY, which the judge's apiKey names, is not set`,
  );
});

Deno.test("a reference that leads nowhere is never sent as a key", () => {
  for (const field of ["model_api_key", "rubric_judge_api_key"]) {
    const config = { [field]: "$GONE_API_KEY" };
    assertEquals(keyFor("openai/gpt-5", { config }), "openai-key");
    assertThrows(
      () => keyFor("openai/gpt-5", { config, variables: {} }),
      JudgeRefusal,
      "OPENAI_API_KEY is not set",
    );
  }
});

Deno.test("a proxy is sent a placeholder where no key is set", () => {
  assertEquals(keyFor("openai/gpt-5", { variables: {}, proxied: true }), "model_api_key");
});

Deno.test("faults 3.6: a judge's own variable must be set, behind a proxy too", () => {
  assertThrows(
    () => keyFor("openai/gpt-5", { reference: "$OPENAI_API_KEY", variables: {}, proxied: true }),
    JudgeRefusal,
    "OPENAI_API_KEY, which the judge's apiKey names, is not set",
  );
});

Deno.test("a model that needs no key is asked without one", () => {
  assertEquals(keyFor("vertex_ai/gemini-3", { variables: {} }), null);
});

Deno.test("a judge's variable goes only to the provider that it belongs to", () => {
  const own = [["openai/gpt-5-mini", "OPENAI_API_KEY"], ["claude-opus-5", "ANTHROPIC_API_KEY"]];
  for (const [model, variable] of own) {
    assertEquals(keyFor(model!, { reference: `$${variable}` }), VARIABLES[variable!]);
  }
  const strange = [
    ["openai/gpt-5", "ANTHROPIC_API_KEY", 'it is that of "anthropic"'],
    ["claude-opus-5", "OPENAI_API_KEY", 'it is that of "openai"'],
    ["openai/gpt-5", "ACME_JUDGE_API_KEY", "it belongs to no known provider"],
    ["ollama/qwen3", "OPENAI_API_KEY", 'it is that of "openai"'],
    // Its variable, if it were guessed, is another provider's.
    ["OpenAI/gpt-5", "OPENAI_API_KEY", 'it is that of "openai"'],
  ] as const;
  for (const proxied of [false, true]) {
    for (const [model, variable, state] of strange) {
      const setup = { reference: `$${variable}`, proxied };
      const { message } = assertThrows(() => keyFor(model, setup), JudgeRefusal);
      const provider = model.includes("/") ? model.split("/")[0] : "anthropic";
      assertStringIncludes(message, `can't send ${variable} to provider "${provider}"`);
      assertStringIncludes(message, state);
      assertStringIncludes(message, `"judge_keys": {"$${variable}":"${provider}"} }`);
      assertEquals([message.includes("\n"), message.includes("-key,")], [false, false]);
    }
  }
  assertThrows(() => keyFor("OpenAI/gpt-5", { proxied: true }), JudgeRefusal, "can't send");
});

Deno.test("the run config, or the environment, says where another variable goes", () => {
  const reference = "$ACME_JUDGE_API_KEY";
  const forJudges = { rubric_judge_model: "claude-opus-5", rubric_judge_api_key: reference };
  assertEquals(keyFor("anthropic/claude-haiku-5", { config: forJudges, reference }), "acme-key");
  assertThrows(() => keyFor("openai/gpt-5", { config: forJudges, reference }), JudgeRefusal);
  const forRun = { model_api_key: reference };
  assertEquals(keyFor("openai/gpt-5-mini", { config: forRun, reference }), "acme-key");
  assertThrows(() => keyFor("claude-opus-5", { config: forRun, reference }), JudgeRefusal);
  assertEquals(keyFor("openai/gpt-5", { reference, judgeKeys: ACME }), "acme-key");
  assertThrows(() => keyFor("claude-opus-5", { reference, judgeKeys: ACME }), JudgeRefusal);
  const redirected = [{ variable: "ANTHROPIC_API_KEY", provider: "openai" }];
  const other = { reference: "$ANTHROPIC_API_KEY", judgeKeys: redirected };
  assertEquals(keyFor("openai/gpt-5", other), "anthropic-key");
});

Deno.test("with a fake model the environment says nothing of keys", () => {
  const config = { use_fake_model: true, rubric_judge_model: "openai/gpt-5" };
  const reference = "$ACME_JUDGE_API_KEY";
  const ask = () => keyFor("openai/gpt-5", { config, reference, judgeKeys: ACME });
  const { message } = assertThrows(ask, JudgeRefusal);
  assertStringIncludes(message, '"rubric_judge_api_key": "$ACME_JUDGE_API_KEY"');
  assertEquals(message.includes("judge_keys"), false);
});
