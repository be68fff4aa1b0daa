import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { JudgeAnswer, JudgeQuestion } from "../protocol/turn.ts";
import type { ProtectedStore } from "./protected_store.ts";
import type { Student } from "./student.ts";

/** What hooks and judges are given: the run they belong to and what they may do in it. */
export interface RunContext {
  /** Without model keys: those stay on the host. */
  readonly config: EvaluationRunConfig;
  /** Aborted when the run is cancelled or its time is over. */
  readonly signal: AbortSignal;
  /** The account under test. */
  readonly student: Student;
  /** Files of the run that the student can't reach. */
  readonly store: ProtectedStore;
  /**
   * Keeps a file or folder of the sandbox with the run's results. A missing path is a warning, a
   * path beyond the ceilings too; neither fails the run.
   */
  saveArtifact(path: string): Promise<void>;
  /** Records answers of the student's; a later one of the same name wins. */
  submitAnswers(answers: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Records a warning, which the console shows too: something that whoever reads the score should
   * know.
   */
  warn(warning: string): Promise<void>;
  /**
   * The argv that runs `src/environment/<script>` as a root process of this program. Throws if
   * there is no such script in `src/environment/scoring/`.
   */
  scriptCommand(script: string, args?: readonly string[]): readonly string[];
  /**
   * Asks a model, which the host calls: the run's `rubric_judge_model`, else the run's own model,
   * or one that the environment lists under `judge_models`. Each question is an event
   * `judge_usage`. Rejects if there is none, if it can't be had or had too many questions, or once
   * the signal is aborted; absent: the run's signal.
   */
  askJudge(question: JudgeQuestion, signal?: AbortSignal): Promise<JudgeAnswer>;
}
