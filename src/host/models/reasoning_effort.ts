import { KarotteError } from "../../base/errors.ts";
import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import { type AgentConfig, agentNameOf, agentOf } from "../agents.ts";

type EffortConfig = AgentConfig & Pick<EvaluationRunConfig, "reasoning_effort">;

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

/** Returns the level that the model is asked for, by its provider's name; null: its default. */
export function appliedReasoningEffort(config: EffortConfig): string | null {
  if (config.use_fake_model) return null;
  const agent = agentOf(config);
  if (!agent?.setsEffort) return null;
  const spec = modelSpec(config.model);
  switch (config.reasoning_effort) {
    case null:
      return spec.reasoning_effort_levels.find((level) => level === agent.defaultEffort) ?? null;
    case "min":
      return spec.min_reasoning_effort;
    case "max":
      return spec.max_reasoning_effort;
    default:
      return config.reasoning_effort;
  }
}

/** Returns a warning if an effort is asked for and none is applied; undefined otherwise. */
export function unappliedEffortWarning(config: EffortConfig): string | undefined {
  const { reasoning_effort: effort, model } = config;
  if (effort === null || appliedReasoningEffort(config) !== null) return undefined;
  const cause = config.use_fake_model
    ? "the fake model has none"
    : `agent "${agentNameOf(config)}" with model "${model}" has none to set`;
  return `reasoning effort "${effort}" is not applied: ${cause}`;
}
