import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { StartParams } from "../../protocol/rpc.ts";
import type { RunModels } from "../models/run_models.ts";
import type { RunEnvironment } from "./variables.ts";

/** What a harness is told of a run, wherever it runs. Model keys stay with the host. */
export function startParams({ config, environment, models }: {
  readonly config: EvaluationRunConfig;
  readonly environment: RunEnvironment;
  readonly models: RunModels;
}): Omit<StartParams, "version" | "bundle" | "prepare_only"> {
  return {
    config: { ...config, model_api_key: null, rubric_judge_api_key: null },
    environment: { ...environment.variables },
    harness_secret_env: [...environment.withheld],
    reasoning_effort: models.reasoningEffort,
  };
}
