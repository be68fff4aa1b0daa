import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { JudgeSource, StudentSource } from "./model_calls.ts";

/** The models of a command's runs, with their keys. */
export interface RunModels {
  /** Keys: none of them may be recorded or shown. */
  readonly secrets: readonly string[];
  /** What the student's model is asked for; null = its default. */
  readonly reasoningEffort: string | null;
  forRun(run: ModelledRun): RunSources;
}

export interface ModelledRun {
  readonly config: EvaluationRunConfig;
  /** Counts the runs of the command. */
  readonly index: number;
  /** Shows a line to the user: a call that is tried again. */
  told(line: string): void;
}

export interface RunSources {
  readonly student: StudentSource;
  readonly judge: JudgeSource;
}

/** Of a run whose student is a script and whose judges ask nobody. */
export function scriptedModels(): RunModels {
  const refused = () => Promise.reject(new Error("the fake model has no model to ask"));
  return {
    secrets: [],
    reasoningEffort: null,
    forRun: () => ({ student: { nextTurn: refused }, judge: { answer: refused } }),
  };
}
