import { isTrainingModel, splitModelId } from "../../models/model_id.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { JudgeQuestion } from "../../protocol/turn.ts";
import { JudgeRefusal } from "./judge_refusal.ts";
import { judgeModelOf } from "./model_keys.ts";

export interface JudgeModelOptions {
  readonly config: EvaluationRunConfig;
  /** What the environment lists under `judge_models`. */
  readonly allowed: readonly string[];
}

/**
 * The id of the model that answers a judge's question. Throws a `JudgeRefusal` if the question names
 * one that neither the run config nor the environment's list does, or none where there is none.
 */
export function judgeModelFor(
  { model }: Pick<JudgeQuestion, "model">,
  { config, allowed }: JudgeModelOptions,
): string {
  if (model === undefined) {
    const usual = judgeModelOf(config);
    if (usual !== null) return usual;
    throw new JudgeRefusal(
      `There is no model for judges: "${config.model}" plays the student only. ` +
        "Set rubric_judge_model in the run config, or give the judge a model",
    );
  }
  const named = [config.rubric_judge_model, config.model, ...allowed];
  const isNamed = named.some((each) => each !== null && isSameModel(each, model));
  if (isNamed && canBeAsked(model)) return model;
  if (isNamed) throw new JudgeRefusal(`Judges can't ask "${model}": it plays the student only`);
  throw new JudgeRefusal(
    `Judges may not ask model ${JSON.stringify(model)}: the run config does not name it. ` +
      `Set rubric_judge_model, or list it in the environment's deno.json: ` +
      `"karotte": { "judge_models": [${JSON.stringify(model)}] }`,
  );
}

/** Neither a script's stand-in nor a model in training, which only a backend can play. */
function canBeAsked(model: string): boolean {
  return !isTrainingModel(model) && splitModelId(model).provider !== "fake";
}

/** Whether both ids are of one model of one provider: `claude-x` is `anthropic/claude-x`. */
function isSameModel(one: string, other: string): boolean {
  const [a, b] = [splitModelId(one), splitModelId(other)];
  return a.provider === b.provider && a.name === b.name;
}
