import { keyVariableOf, ownerOfKey } from "../../models/key_variable.ts";
import { splitModelId } from "../../models/model_id.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { JudgeQuestion } from "../../protocol/turn.ts";
import { isKeyReference } from "../../sdk/judges/rubric_key.ts";
import type { JudgeKey } from "../environment/environment_settings.ts";
import { type KeySource, lookUp, namedSource, providerSource } from "./key_source.ts";
import { JudgeRefusal } from "./judge_refusal.ts";
import { judgeModelOf, type KeyOptions, type ResolvedKey, resolveJudgeKey } from "./model_keys.ts";

/**
 * Returns the key with which a model is asked for a judge: that of the variable that the question
 * names, if it belongs to the model's provider, or the run config or the environment's `judge_keys`
 * say that it goes there; else the one that the run config has for judges, which goes to the
 * provider of its own judge model only; else that of the provider's variable. The question comes
 * from the sandbox, so no variable is read for it whose name is not one of a key. Throws a
 * `JudgeRefusal` if a key is needed and not set.
 */
export function judgeKeyFor(
  model: string,
  { question, config, judgeKeys, ...options }: KeyOptions & {
    readonly question: Pick<JudgeQuestion, "api_key">;
    readonly config: EvaluationRunConfig;
    /** The keys that the environment names: not with a fake model, where nobody was asked. */
    readonly judgeKeys: readonly JudgeKey[];
  },
): ResolvedKey {
  const { api_key: reference } = question;
  if (reference !== undefined) {
    if (!isKeyReference(reference)) {
      throw new JudgeRefusal(
        "A judge's key must be named: $NAME of a variable of the host that ends with _API_KEY",
      );
    }
    const variable = reference.slice(1);
    const isNamed = isOfProvider(variable, model) || isOfConfig(reference, { model, config }) ||
      (!config.use_fake_model &&
        judgeKeys.some((key) =>
          key.variable === variable && key.provider === providerPrefix(model)
        ));
    if (!isNamed) throw strangeKey(variable, { model, isFake: config.use_fake_model });
    return keyOf(model, namedSource("the judge's apiKey", reference), options);
  }
  const usual = judgeModelOf(config);
  if (usual !== null && splitModelId(usual).provider === splitModelId(model).provider) {
    // A variable that must be set was asked for before the run.
    const resolved = resolveJudgeKey(config, { ...options, prepareOnly: true });
    if (resolved.key !== null) return resolved;
  }
  const source = providerSource(model);
  // A name that was guessed from the prefix may be that of another provider's variable.
  if (source?.variable !== undefined && !isOfProvider(source.variable, model)) {
    throw strangeKey(source.variable, { model, isFake: config.use_fake_model });
  }
  return keyOf(model, source, options);
}

/** Tells whether a variable is the one of a model's provider, and of no other that is known. */
function isOfProvider(variable: string, model: string): boolean {
  const own = keyVariableOf(model);
  if (own?.name !== variable) return false;
  return !own.isGuess || ownerOfKey(variable) === undefined;
}

/** Tells whether the run config has a variable for models of the same provider. */
function isOfConfig(
  reference: string,
  { model, config }: { readonly model: string; readonly config: EvaluationRunConfig },
): boolean {
  const { rubric_judge_api_key, model_api_key } = config;
  const named = [[rubric_judge_api_key, judgeModelOf(config)], [model_api_key, config.model]];
  return named.some(([key, of]) =>
    key === reference && typeof of === "string" && providerPrefix(of) === providerPrefix(model)
  );
}

function strangeKey(
  variable: string,
  { model, isFake }: { readonly model: string; readonly isFake: boolean },
): JudgeRefusal {
  const provider = providerPrefix(model);
  const owner = ownerOfKey(variable);
  const state = owner === undefined
    ? "it belongs to no known provider"
    : `it is that of "${owner}"`;
  const wish = JSON.stringify({ [`$${variable}`]: provider });
  const setting = `"rubric_judge_api_key": "$${variable}" in the run config`;
  const help = isFake
    ? setting
    : `${setting}, or "karotte": { "judge_keys": ${wish} } in deno.json`;
  return new JudgeRefusal(
    `Judges can't send ${variable} to provider "${provider}" (model ${JSON.stringify(model)}): ` +
      `${state}; to allow it write ${help}`,
  );
}

/** Returns the prefix of a model's provider, for a bare name too. */
function providerPrefix(model: string): string {
  return splitModelId(model).provider || "anthropic";
}

function keyOf(model: string, source: KeySource | undefined, options: KeyOptions): ResolvedKey {
  const found = lookUp(source, options);
  if (found.key !== undefined) return { ...found, variable: source?.variable };
  throw new JudgeRefusal(`Judges can't ask model "${model}": ${found.missing}`);
}
