import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { SandboxMemory } from "../../schemas/student_limits.ts";
import type { Guard } from "../../protocol/guards.ts";
import type { StartParams } from "../../protocol/rpc.ts";
import type { RunModels } from "../models/run_models.ts";
import type { RunVariables } from "./variables.ts";

/** Returns what a harness is told of a run, wherever it runs. Model keys stay with the host. */
export function startParams({ config, variables, models, sandboxMemory, guardsOff }: {
  readonly config: EvaluationRunConfig;
  readonly variables: RunVariables;
  readonly models: RunModels;
  /** Undefined: the sandbox itself knows it best. */
  readonly sandboxMemory: SandboxMemory | undefined;
  /** Guards that the harness does without: none but in the trick suite. */
  readonly guardsOff: readonly Guard[];
}): Omit<StartParams, "version" | "bundle" | "prepare_only"> {
  return {
    config: { ...config, model_api_key: null, rubric_judge_api_key: null },
    variables: { ...variables.values },
    withheld: [...variables.withheld],
    reasoning_effort: models.reasoningEffort,
    ...(sandboxMemory === undefined
      ? {}
      : { sandbox_memory: { bytes: sandboxMemory.bytes, source: sandboxMemory.source } }),
    ...(guardsOff.length === 0 ? {} : { guards_off: [...guardsOff] }),
  };
}
