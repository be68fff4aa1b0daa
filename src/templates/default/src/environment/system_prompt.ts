import type { EvaluationRunConfig } from "@karotte/cli/sdk";

/**
 * The system prompt of a task, as the run config wants it: `system_prompt_override` in its
 * `extra_config` replaces `prompt`, `extra_system_prompt` is appended after a blank line.
 * Throws a `TypeError` if one of them is not a string.
 */
export function systemPrompt(config: EvaluationRunConfig, prompt: string): string {
  const base = extraText(config, "system_prompt_override") ?? prompt;
  const extra = extraText(config, "extra_system_prompt") ?? "";
  return extra === "" ? base : `${base}\n\n${extra}`;
}

function extraText(config: EvaluationRunConfig, key: string): string | undefined {
  const value: unknown = config.extra_config?.[key];
  if (value === undefined || typeof value === "string") return value;
  throw new TypeError(`extra_config.${key}: expected a string, got ${JSON.stringify(value)}`);
}
