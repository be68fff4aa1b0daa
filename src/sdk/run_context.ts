import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { JudgeAnswer, JudgeQuestion } from "../protocol/turn.ts";
import type { ProtectedStore } from "./protected_store.ts";
import type { Student } from "./student.ts";
import type { SubmissionLimits } from "./submission.ts";

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
   * The variables of the image and those that `karotte run --env` gives, by name, as data: the
   * student's programs have them, and root's do not, for each may name a file that the student can
   * write. `harness_secret_env` names variables that root has instead: read those by `Deno.env`.
   */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Keeps a file or folder of the sandbox with the run's results. A missing path is a warning, a
   * path beyond the ceilings too; neither fails the run.
   */
  saveArtifact(path: string): Promise<void>;
  /**
   * The path of the harness's copy of a submission, a file or a folder that only root can reach,
   * for judges, `preScoringHook` and `postHook`; undefined if the student left nothing there. At
   * the original's place there may be a link by now: what runs as root reads the copy. Throws a
   * `TypeError` for a path that is not among the step's `submissionPaths`.
   */
  submission(path: string): string | undefined;
  /**
   * Copies one more file or folder as submissions are copied, at once: with the student's rights
   * and without following any link. Returns the path of the copy, undefined if nothing is there.
   * Throws a `StudentMisbehaviorError` for links, special files and what is too large.
   */
  saveSubmission(path: string, limits?: SubmissionLimits): Promise<string | undefined>;
  /**
   * Deletes the student's files and folders below some folders, which stay, and returns their
   * number; those of others stay too. No link is followed, and what something is mounted on is left
   * alone. Throws a `StudentMisbehaviorError` if some can't be deleted within ten minutes.
   */
  deleteFiles(folders: readonly string[], options?: DeleteOptions): Promise<number>;
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
   * `judge_usage`. Rejects if there is none, if it can't be had, beyond a ceiling of the run, or
   * once the signal is aborted; absent: the run's signal.
   */
  askJudge(question: JudgeQuestion, signal?: AbortSignal): Promise<JudgeAnswer>;
}

/** What `deleteFiles` leaves. */
export interface DeleteOptions {
  /** Files and folders, with all that is in them, that stay; absent: none. */
  except?: readonly string[];
}
