import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { Step } from "../sdk/task.ts";

/** A step's instructions with what `extra_config` replaces and appends. */
export function instructionsOf(step: Step, config: EvaluationRunConfig, index: number): string {
  const extra = config.extra_config;
  const instructions = forStep(extra?.task_instructions_override, index) ?? step.instructions;
  const appended = forStep(extra?.extra_task_instructions, index);
  return appended ? `${instructions}\n\n${appended}` : instructions;
}

/** One text applies to every step, a list by index; past its end the step is unchanged. */
function forStep(value: string | string[] | undefined, index: number): string | undefined {
  return Array.isArray(value) ? value[index] : value;
}
