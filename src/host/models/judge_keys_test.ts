import { assertEquals, assertThrows } from "@std/assert";
import { type EvaluationRunConfigInput, runConfigSchema } from "../../schemas/run_config.ts";
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
}

function keyFor(model: string, { config, reference, variables, proxied }: Setup = {}) {
  const values = variables ?? VARIABLES;
  const fields = { run_id: "r", task_id: "t", model: "openai/gpt-5", ...config };
  return judgeKeyFor(model, {
    question: { api_key: reference },
    config: runConfigSchema.parse(fields),
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
  assertEquals(keyFor("openai/gpt-5", { config, reference: "$ACME_JUDGE_API_KEY" }), "acme-key");
  for (
    const reference of ["$AWS_PROFILE", "acme-key", "$", "ACME_JUDGE_API_KEY", "$HOME/A_API_KEY"]
  ) {
    const error = assertThrows(() => keyFor("openai/gpt-5", { reference }), JudgeRefusal);
    assertEquals(error.message.includes(reference === "$" ? "acme" : reference), false);
  }
  assertThrows(
    () => keyFor("openai/gpt-5", { reference: "$OTHER_API_KEY" }),
    JudgeRefusal,
    `Judges can't ask model "openai/gpt-5": OTHER_API_KEY, which the judge's apiKey names, is not set`,
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
    () => keyFor("openai/gpt-5", { reference: "$MY_API_KEY", variables: {}, proxied: true }),
    JudgeRefusal,
    "MY_API_KEY, which the judge's apiKey names, is not set",
  );
});

Deno.test("a model that needs no key is asked without one", () => {
  assertEquals(keyFor("vertex_ai/gemini-3", { variables: {} }), null);
});
