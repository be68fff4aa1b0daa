import { KarotteError } from "../../base/errors.ts";
import { keyVariableOf } from "../../models/key_variable.ts";
import { isTrainingModel } from "../../models/model_id.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import { type KeySource, lookUp, namedSource, providerSource } from "./key_source.ts";

type KeyConfig = Pick<
  EvaluationRunConfig,
  "model" | "model_api_key" | "rubric_judge_model" | "rubric_judge_api_key" | "use_fake_model"
>;

export interface KeyOptions {
  /** The caller's variables; undefined where one is not set. */
  readonly readVariable: (name: string) => string | undefined;
  /** The run's model will not be asked: its key may be missing. */
  readonly prepareOnly?: boolean;
  /**
   * Calls go through a proxy: it gets `PLACEHOLDER_KEY` where the provider's variable is unset or
   * empty. One that the user named must be set all the same.
   */
  readonly proxied?: boolean;
  /** Nothing is called, answers are recorded ones: `PLACEHOLDER_KEY` stands for any key. */
  readonly replayed?: boolean;
}

/** A model's key, and the variable that it comes from. */
export interface ResolvedKey {
  /** Null: none is needed, or it may be missing, and is. */
  readonly key: string | null;
  /**
   * The variable that holds it, or should; undefined: it stands in the config, or none is needed.
   */
  readonly variable: string | undefined;
  readonly warnings: readonly string[];
}

/** Returns the model that rubric judges use unless their task names one; null: there is none. */
export function judgeModelOf(config: KeyConfig): string | null {
  if (config.rubric_judge_model !== null) return config.rubric_judge_model;
  return config.use_fake_model || isTrainingModel(config.model) ? null : config.model;
}

/** Returns the key of the run's model. Throws a usage error if it is needed and not set. */
export function resolveModelKey(config: KeyConfig, options: KeyOptions): ResolvedKey {
  const source = modelKeySource(config);
  const found = lookUp(source, options);
  if (found.key !== undefined) return { ...found, variable: source?.variable };
  if (config.use_fake_model || options.prepareOnly) {
    return { key: null, variable: source?.variable, warnings: [] };
  }
  throw noKey(config.model, found.missing, "--model-api-key '$NAME'");
}

function noKey(model: string, missing: string, another: string): KarotteError {
  return new KarotteError("usage", `Cannot call model "${model}": ${missing}`, {
    hint: `put the key into that variable, or name another one: ${another}`,
  });
}

/**
 * Returns the key of the model of rubric judges. Throws a usage error for a variable that the
 * config names and that is not set; else only a judge that asks needs the key.
 */
export function resolveJudgeKey(config: KeyConfig, options: KeyOptions): ResolvedKey {
  if (sharesKey(config)) {
    const { key, variable } = resolveModelKey(config, { ...options, prepareOnly: true });
    return { key, variable, warnings: [] };
  }
  const source = judgeKeySource(config);
  const found = lookUp(source, options);
  if (found.key !== undefined) return { ...found, variable: source?.variable };
  const isNamed = config.rubric_judge_api_key !== null;
  const model = judgeModelOf(config);
  const isAsked = model !== null && !config.use_fake_model && !options.prepareOnly;
  if (isNamed && isAsked && found.isUnset) {
    throw noKey(model, found.missing, '"rubric_judge_api_key": "$NAME"');
  }
  const warnings = isNamed ? [`rubric judges have no key: ${found.missing}`] : [];
  return { key: null, variable: source?.variable, warnings };
}

/**
 * Returns the names of the variables that keys are read from: they are withheld from the student,
 * and their values redacted.
 */
export function keyVariablesOf(config: KeyConfig): string[] {
  const sources = [modelKeySource(config), judgeKeySource(config)];
  return [...new Set(sources.flatMap((source) => source?.variable ?? []))];
}

/** Returns a warning for a key that was given as an argument; undefined if `$NAME` was. */
export function literalKeyWarning(key: string, model: string): string | undefined {
  if (key.startsWith("$")) return undefined;
  const name = keyVariableOf(model)?.name ?? "NAME";
  return "other programs of this machine can read a key that stands on the command line: " +
    `put it into a variable and name that one: --model-api-key '$${name}'`;
}

function modelKeySource(config: KeyConfig): KeySource | undefined {
  if (config.model_api_key !== null) return namedSource("model_api_key", config.model_api_key);
  return config.use_fake_model ? undefined : providerSource(config.model);
}

function judgeKeySource(config: KeyConfig): KeySource | undefined {
  const { rubric_judge_api_key: key } = config;
  if (key !== null) return namedSource("rubric_judge_api_key", key);
  if (sharesKey(config)) return modelKeySource(config);
  const model = judgeModelOf(config);
  return model === null ? undefined : providerSource(model);
}

/**
 * Tells whether judges have the key of the run's model. Where the config names a model for them, be
 * it the run's own, they have that of its provider.
 */
function sharesKey(config: KeyConfig): boolean {
  return config.rubric_judge_api_key === null && config.rubric_judge_model === null &&
    judgeModelOf(config) !== null;
}
