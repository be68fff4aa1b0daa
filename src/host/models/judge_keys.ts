import { splitModelId } from "../../models/model_id.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { JudgeQuestion } from "../../protocol/turn.ts";
import { isKeyReference } from "../../sdk/judges/rubric_key.ts";
import { type KeySource, lookUp, namedSource, providerSource } from "./key_source.ts";
import { JudgeRefusal } from "./judge_refusal.ts";
import { judgeModelOf, type KeyOptions, type ResolvedKey, resolveJudgeKey } from "./model_keys.ts";

/**
 * Returns the key with which a model is asked for a judge: that of the variable that the question
 * names; else the one that the run config has for judges, which goes to the provider of its own
 * judge model only; else that of the provider's variable. The question comes from the sandbox, so
 * no variable is read for it whose name is not one of a key. Throws a `JudgeRefusal` if a key is
 * needed and not set.
 */
export function judgeKeyFor(
  model: string,
  { question, config, ...options }: KeyOptions & {
    readonly question: Pick<JudgeQuestion, "api_key">;
    readonly config: EvaluationRunConfig;
  },
): ResolvedKey {
  const { api_key: reference } = question;
  if (reference !== undefined) {
    if (!isKeyReference(reference)) {
      throw new JudgeRefusal(
        "A judge's key must be named: $NAME of a variable of the host that ends with _API_KEY",
      );
    }
    return keyOf(model, namedSource("the judge's apiKey", reference), options);
  }
  const usual = judgeModelOf(config);
  if (usual !== null && splitModelId(usual).provider === splitModelId(model).provider) {
    // A variable that must be set was asked for before the run.
    const resolved = resolveJudgeKey(config, { ...options, prepareOnly: true });
    if (resolved.key !== null) return resolved;
  }
  return keyOf(model, providerSource(model), options);
}

function keyOf(model: string, source: KeySource | undefined, options: KeyOptions): ResolvedKey {
  const found = lookUp(source, options);
  if (found.key !== undefined) return { ...found, variable: source?.variable };
  throw new JudgeRefusal(`Judges can't ask model "${model}": ${found.missing}`);
}
