import { isTrainingModel, splitModelId } from "../../models/model_id.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { JudgeQuestion } from "../../protocol/turn.ts";
import { JudgeRefusal } from "./judge_refusal.ts";
import { judgeModelOf } from "./model_keys.ts";

export interface JudgeModelOptions {
  readonly config: EvaluationRunConfig;
  /** The models that the environment lists under `judge_models`: not with a fake model. */
  readonly allowed: readonly string[];
}

/**
 * Returns the id of the model that answers a judge's question. Throws a `JudgeRefusal` if the
 * question names one that is neither in the run config nor in the environment's list, or if it
 * names none and the run has none for judges.
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
        "name one with --judge-model, or rubric_judge_model in the run config",
    );
  }
  const { use_fake_model: isFake } = config;
  // Nobody is asked about the environment's list where a script plays: then no model costs a cent.
  const named = [config.rubric_judge_model, config.model, ...(isFake ? [] : allowed)];
  const isNamed = named.some((each) => each !== null && isSameModel(each, model));
  if (isNamed && canBeAsked(model)) return model;
  if (isNamed) throw new JudgeRefusal(`Judges can't ask "${model}": it plays the student only`);
  if (isFake) {
    throw new JudgeRefusal(
      `Judges may not ask model ${JSON.stringify(model)} with --fake-model, ` +
        `unless the run names it: --judge-model ${JSON.stringify(model)}`,
    );
  }
  throw new JudgeRefusal(
    `Judges may not ask model ${JSON.stringify(model)}: the run config does not name it. ` +
      `Set rubric_judge_model, or list it in the environment's deno.json: ` +
      `"karotte": { "judge_models": [${JSON.stringify(model)}] }`,
  );
}

/** Refuses a script's stand-in, and models in training: only a backend can play those. */
function canBeAsked(model: string): boolean {
  return !isTrainingModel(model) && splitModelId(model).provider !== "fake";
}

/** Tells whether both ids are of one model of one provider: `claude-x` is `anthropic/claude-x`. */
function isSameModel(one: string, other: string): boolean {
  const [a, b] = [splitModelId(one), splitModelId(other)];
  return a.provider === b.provider && a.name === b.name;
}
