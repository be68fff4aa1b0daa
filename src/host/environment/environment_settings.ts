import { KarotteError } from "../../base/errors.ts";
import { findProjectConfig, readJsonc } from "../../loader/project_config.ts";

/** The settings under `"karotte"` in an environment's deno.json. */
export interface EnvironmentSettings {
  /** The image that sandboxes are made from; undefined: its Containerfile says. */
  readonly image: string | undefined;
  /** Models that its judges may ask besides those of the run config. */
  readonly judgeModels: readonly string[];
}

/** Reads the settings of the environment in a folder. Throws a usage error for a wrong one. */
export async function environmentSettings(directory: string): Promise<EnvironmentSettings> {
  const path = findProjectConfig(directory);
  if (path === undefined) return { image: undefined, judgeModels: [] };
  const { karotte } = await readJsonc(path, new Map());
  const { image, judge_models = [] } = isObject(karotte) ? karotte : {};
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
  return { image, judgeModels: judge_models };
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
