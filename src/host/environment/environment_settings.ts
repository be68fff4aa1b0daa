import { KarotteError } from "../../base/errors.ts";
import { isKeyReference } from "../../sdk/judges/rubric_key.ts";
import { findProjectConfig, readJsonc } from "../../loader/project_config.ts";

/** The settings under `"karotte"` in an environment's deno.json. */
export interface EnvironmentSettings {
  /** The image that sandboxes are made from; undefined: its Containerfile says. */
  readonly image: string | undefined;
  /** Models that its judges may ask besides those of the run config: sorted, each once. */
  readonly judgeModels: readonly string[];
  /** Keys that its judges may use besides a provider's own: sorted by variable, each once. */
  readonly judgeKeys: readonly JudgeKey[];
}

/** A variable whose key the environment's judges may send to a provider. */
export interface JudgeKey {
  /** The name, without `$`: `ACME_API_KEY`. */
  readonly variable: string;
  /** What stands before the slash in ids of the provider's models: `anthropic`. */
  readonly provider: string;
}

/** Reads the settings of the environment in a folder. Throws a usage error for a wrong one. */
export async function environmentSettings(directory: string): Promise<EnvironmentSettings> {
  const path = findProjectConfig(directory);
  if (path === undefined) return { image: undefined, judgeModels: [], judgeKeys: [] };
  const { karotte } = await readJsonc(path, new Map());
  const { image, judge_models = [], judge_keys = {} } = isObject(karotte) ? karotte : {};
  // A reference never begins with "-", so it can't be taken for an option.
  if (image !== undefined && !isText(image, /^[a-zA-Z0-9][\w./:@-]*$/)) {
    throw new KarotteError(
      "usage",
      `Cannot read "${path}": karotte.image is ${JSON.stringify(image)}, no name of an image`,
      { hint: 'Write it like "debian:bookworm".' },
    );
  }
  if (!Array.isArray(judge_models) || !judge_models.every((model) => isText(model, /^\S+$/))) {
    const found = JSON.stringify(judge_models);
    throw new KarotteError(
      "usage",
      `Cannot read "${path}": karotte.judge_models is ${found}, no list of models`,
      { hint: 'Write it like ["anthropic/claude-opus-5"].' },
    );
  }
  return {
    image,
    judgeModels: [...new Set<string>(judge_models)].sort(),
    judgeKeys: judgeKeys(judge_keys, path),
  };
}

function judgeKeys(value: unknown, path: string): JudgeKey[] {
  const entries = isObject(value) && !Array.isArray(value) ? Object.entries(value) : undefined;
  const isRight = entries?.every(([name, provider]) =>
    isKeyReference(name) && isText(provider, /^[\w.-]+$/)
  );
  if (entries === undefined || !isRight) {
    // Not shown: it may hold a key.
    throw new KarotteError(
      "usage",
      `Cannot read "${path}": karotte.judge_keys does not say which variables go to which provider`,
      { hint: 'Write it like { "$ACME_API_KEY": "anthropic" }.' },
    );
  }
  return entries.map(([name, provider]) => ({ variable: name.slice(1), provider: `${provider}` }))
    .sort((a, b) => a.variable < b.variable ? -1 : 1);
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
