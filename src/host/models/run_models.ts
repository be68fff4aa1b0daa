import type { ModelPrice } from "../../models/model_spec.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { JudgeSource, StudentSource } from "./model_calls.ts";
import type { Redactor } from "../redactor.ts";
import type { Spent } from "../usage_text.ts";

/** Who answers in a command's runs. */
export interface RunModels {
  /** What the student's model is asked for; null = its default. */
  readonly reasoningEffort: string | null;
  /** Of the student's model; null: not known. */
  readonly price: ModelPrice | null;
  forRun(run: ModelledRun): RunSources;
}

export interface ModelledRun {
  readonly config: EvaluationRunConfig;
  /** Counts the runs of the command. */
  readonly index: number;
  /** Is told of each key before it is used. */
  readonly redactor: Redactor;
  /** Shows a line to the user: a call that is tried again. */
  told(line: string): void;
}

export interface RunSources {
  readonly student: StudentSource;
  readonly judge: JudgeSource;
  /** What the judges' models took so far; null if none was asked. */
  judged(): Spent | null;
}

/** Of runs whose student is a script and whose judges ask nobody. */
export function scriptedModels(): RunModels {
  const refused = () => Promise.reject(new Error("the fake model has no model to ask"));
  return {
    reasoningEffort: null,
    price: null,
    forRun: () => ({
      student: { nextTurn: refused },
      judge: { answer: refused },
      judged: () => null,
    }),
  };
}
