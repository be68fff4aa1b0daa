import { assertEquals, assertThrows } from "@std/assert";
import { type EvaluationRunConfigInput, runConfigSchema } from "../../schemas/run_config.ts";
import { judgeModelFor } from "./judge_models.ts";
import { JudgeRefusal } from "./judge_refusal.ts";

interface Setup {
  readonly model?: string;
  readonly config?: Partial<EvaluationRunConfigInput>;
  readonly allowed?: readonly string[];
}

function chosen({ model, config, allowed = [] }: Setup): string {
  const fields = { run_id: "r", task_id: "t", model: "openai/gpt-5", ...config };
  return judgeModelFor({ model }, { config: runConfigSchema.parse(fields), allowed });
}

Deno.test("judgeModelFor() takes rubric_judge_model, else the run's model", () => {
  assertEquals(chosen({}), "openai/gpt-5");
  assertEquals(chosen({ config: { rubric_judge_model: "claude-opus-5" } }), "claude-opus-5");
  const scripted = { use_fake_model: true, rubric_judge_model: "claude-opus-5" };
  assertEquals(chosen({ config: scripted }), "claude-opus-5");
});

Deno.test("judgeModelFor() has none where the run's model can't be asked", () => {
  for (
    const config of [
      { use_fake_model: true },
      { model: "pt/abc" },
      { model: "__karotte_special__/training" },
    ]
  ) {
    assertThrows(() => chosen({ config }), JudgeRefusal, "name one with --judge-model");
    // Listing models does not choose one.
    assertThrows(() => chosen({ config, allowed: ["openai/gpt-5"] }), JudgeRefusal);
  }
});

Deno.test("judgeModelFor() lets a task name a model that the run or the environment names", () => {
  const config = { rubric_judge_model: "claude-opus-5" };
  assertEquals(chosen({ model: "openai/gpt-5", config }), "openai/gpt-5");
  assertEquals(chosen({ model: "anthropic/claude-opus-5", config }), "anthropic/claude-opus-5");
  assertEquals(chosen({ model: "xai/grok-5", allowed: ["mistral/m", "xai/grok-5"] }), "xai/grok-5");
  assertEquals(
    chosen({ model: "openai/gpt-5", config: { use_fake_model: true } }),
    "openai/gpt-5",
  );
});

Deno.test("judgeModelFor() asks neither a script nor a model in training", () => {
  for (const model of ["fake/scripted", "pt/abc", "__karotte_special__/training"]) {
    const config = { model };
    assertThrows(() => chosen({ model, config }), JudgeRefusal, "it plays the student only");
    assertThrows(() => chosen({ model, allowed: [model] }), JudgeRefusal, "student only");
  }
});

Deno.test("judgeModelFor() refuses any other, and says where to list it", () => {
  const allowed = ["xai/grok-5"];
  for (const model of ["xai/grok-5-mini", "openai/gpt-5/", "gpt-5", "azure/gpt-5", "*", "a\nb"]) {
    const error = assertThrows(() => chosen({ model, allowed }), JudgeRefusal);
    const named = JSON.stringify(model);
    assertEquals(error.message.split(named).length, 3);
    assertEquals(error.message.endsWith(`"karotte": { "judge_models": [${named}] }`), true);
  }
});

Deno.test("judgeModelFor() takes none of the environment's list with a fake model", () => {
  const model = "openai/gpt-5";
  const config = { use_fake_model: true, model: "fake/scripted" };
  const ask = () => chosen({ model, config, allowed: [model] });
  assertThrows(ask, JudgeRefusal, '--fake-model, unless the run names it: --judge-model "openai/');
  assertEquals(chosen({ model, config: { ...config, rubric_judge_model: model } }), model);
});
