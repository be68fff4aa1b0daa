import { KarotteError } from "../../base/errors.ts";
import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import { isTrainingModel } from "../../models/model_id.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";

type EffortConfig = Pick<
  EvaluationRunConfig,
  "model" | "agent" | "reasoning_effort" | "use_fake_model"
>;

/** What drives the student: the config's `agent`, else what the model needs. */
export function resolvedAgent({ agent, model }: Pick<EffortConfig, "model" | "agent">): string {
  return agent ?? (isTrainingModel(model) ? "external" : "builtin");
}

/** Throws a usage error for a `reasoning_effort` that the model doesn't have. */
export function checkReasoningEffort(
  { model, reasoning_effort: effort }: Pick<EffortConfig, "model" | "reasoning_effort">,
): void {
  if (effort === null || effort === "min" || effort === "max") return;
  const levels = modelSpec(model).reasoning_effort_levels;
  if (levels.includes(effort)) return;
  const state = levels.length === 0
    ? `no levels of model "${model}" are known, only min and max are accepted`
    : `model "${model}" has no such level`;
  throw new KarotteError("usage", `Cannot use reasoning effort "${effort}": ${state}`, {
    hint: `accepted: ${[...new Set(["min", ...levels, "max"])].join(", ")}`,
  });
}

/** The level that is asked of the model, by its provider's name; null: the provider's default. */
export function appliedReasoningEffort(config: EffortConfig): string | null {
  if (config.use_fake_model) return null;
  const agent = resolvedAgent(config);
  if (agent !== "builtin" && agent !== "grok-build") return null;
  const spec = modelSpec(config.model);
  const unset = agent === "grok-build" && spec.reasoning_effort_levels.includes("high")
    ? "high"
    : null;
  switch (config.reasoning_effort) {
    case null:
      return unset;
    case "min":
      return spec.min_reasoning_effort;
    case "max":
      return spec.max_reasoning_effort;
    default:
      return config.reasoning_effort;
  }
}

/** To be told when an effort was asked for and none is applied; undefined otherwise. */
export function unappliedEffortWarning(config: EffortConfig): string | undefined {
  const { reasoning_effort: effort, model } = config;
  if (effort === null || appliedReasoningEffort(config) !== null) return undefined;
  const cause = config.use_fake_model
    ? "the fake model has none"
    : `agent "${resolvedAgent(config)}" with model "${model}" has none to set`;
  return `reasoning effort "${effort}" is not applied: ${cause}`;
}
