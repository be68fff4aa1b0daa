import { problems } from "../schemas/problems.ts";
import { type EvaluationRunConfig, runConfigSchema } from "../schemas/run_config.ts";
import type { RunConfigPreprocessor } from "../sdk/entry_point_values.ts";
import { callPlugin, type LoadedEntry, pluginError } from "./entry.ts";
import { entryPoint, functionOf } from "./entry_point.ts";
import { inNameOrder } from "./merge.ts";

/**
 * Undefined: there is none. Rejects with a plugin error for the first that throws or returns no run
 * config.
 */
export type Preprocess = (config: EvaluationRunConfig) => Promise<EvaluationRunConfig>;

/**
 * Functions that change the run config, called once a command in the order of their names. One that
 * does not load, throws or returns something else fails the run.
 *
 * ```ts
 * "karotte.run_config_preprocessors": {
 *   acme: (config) => ({ ...config, turn_limit: config.turn_limit ?? 50 }),
 * }
 * ```
 */
export const runConfigPreprocessors = entryPoint({
  group: "karotte.run_config_preprocessors",
  summary: "A function from run config to run config.",
  check: functionOf<RunConfigPreprocessor>(),
  isFatal: true,
  async merge(entries) {
    const all = await inNameOrder(entries);
    const names = all.map(({ origin }) => origin.name);
    const preprocess: Preprocess = async (config) => {
      let current = config;
      for (const each of all) current = await preprocessed(each, current);
      return current;
    };
    return { names, preprocess };
  },
  show: ({ names }) => names,
});

async function preprocessed(
  entry: LoadedEntry<RunConfigPreprocessor>,
  config: EvaluationRunConfig,
): Promise<EvaluationRunConfig> {
  const returned: unknown = await callPlugin<unknown>(entry, () => entry.value(config));
  const checked = runConfigSchema.safeParse(returned);
  if (checked.success) return checked.data;
  const found = problems(checked.error, returned).join("; ");
  throw pluginError(entry.origin, `it returned no run config: ${found}`);
}
