import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { ExternalSource } from "../backend/external_source.ts";
import type { Redactor } from "../../records/redactor.ts";
import type { Spent } from "../../records/usage_text.ts";
import type { JudgeSource, StudentSource } from "./model_calls.ts";

/** A run as those who answer in it see it. */
export interface ModelledRun {
  readonly config: EvaluationRunConfig;
  /** Counts the runs of the command. */
  readonly index: number;
  /** Is told of each key before it is used. */
  readonly redactor: Redactor;
  /** Shows a line to the user: a call that waits, or is tried again. */
  told(line: string): void;
  /** The agent that the run's backend speaks for; undefined without a backend. */
  external(): Pick<ExternalSource, "nextTurn"> | undefined;
}

/** Who answers in a run. */
export interface RunSources {
  readonly student: StudentSource;
  readonly judge: JudgeSource;
  /** What the judges' models took so far; null if none was asked. */
  judged(): Spent | null;
}
