import type { Scoring } from "../schemas/scoring.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { Judge } from "./judges/judge.ts";
import type { RunContext } from "./run_context.ts";
import type { SubmissionLimits } from "./submission.ts";

/** Seconds for `preScoringHook` and judge of a step where the task names none. */
export const DEFAULT_SCORING_TIME_LIMIT_SECONDS = 600;

/** One set of instructions and the judge of what came of them. */
export abstract class Step {
  /** The config of the run. */
  readonly config: EvaluationRunConfig;

  /** Keeps the config. */
  constructor(config: EvaluationRunConfig) {
    this.config = config;
  }

  /** The text that the student is given. */
  abstract get instructions(): string;
  /** Read after `preScoringHook`, so it may use what the hook found. */
  abstract get judge(): Judge;

  /**
   * Absolute paths in the sandbox where the student's work is expected: files or folders. Before
   * the step is scored they are copied with the student's rights; judges read the copies
   * (`context.submission`, `KAROTTE_SUBMISSION` in their programs), which are kept as artifacts
   * too. The originals stay for the next step. A link, a special file or too large a file at such a
   * path scores 0; nothing at all is left to the judge.
   */
  get submissionPaths(): readonly string[] {
    return [];
  }

  /** The most that each submission may hold; the defaults where it says nothing. */
  get submissionLimits(): SubmissionLimits {
    return {};
  }

  /**
   * Whether the student's processes go on while the step is scored: for steps that test a server
   * which the student has left running. They can change files under the judge's eyes, read its
   * arguments and take its room for processes: let it look at nothing but the server's answers and
   * copies. Else all of them, the shell of `bash` too, are ended before `preScoringHook`.
   */
  get keepProcesses(): boolean {
    return false;
  }

  /**
   * What links of the student into `/root_data`, `/intermediate_data`, Karotte's own folders or a
   * home of root's are: `refuse` scores the step 0, `allow` only tells of them. Looked for before
   * `preScoringHook`, unless `keepProcesses`.
   */
  get studentLinks(): StudentLinks {
    return "refuse";
  }

  /** After the student is done, before the judge; both share the scoring time limit. */
  preScoringHook(_context: RunContext): void | Promise<void> {}

  /** After the score was recorded. */
  postHook(_context: RunContext, _scoring: Scoring): void | Promise<void> {}
}

/** What becomes of a step whose student left links into places of root's. */
export type StudentLinks = "refuse" | "allow";

/**
 * A task: steps that are run in order until a judge says stop. Subclass it and export the class
 * from a file in `src/environment/tasks/`, or use `createTask`.
 */
export abstract class Task {
  /** Unique in the environment; at most 255 characters. Every subclass must set it. */
  static readonly id: string;

  /**
   * The config of the run. Where tasks are listed it is a placeholder, and before a run starts it
   * is without keys, run id and paths.
   */
  readonly config: EvaluationRunConfig;

  /** Also called, outside a sandbox, to describe the task: do the work in `preHook`. */
  constructor(config: EvaluationRunConfig) {
    this.config = config;
  }

  /** The class's `id`. */
  get id(): string {
    return (this.constructor as typeof Task).id;
  }

  /** Null: the conversation starts with the first step's instructions. */
  abstract get systemPrompt(): string | null;
  /** The steps, in order; may be made one by one. */
  abstract get steps(): Iterable<Step>;
  /** Names of built-in tools and of files in `src/environment/tools/`. */
  abstract get tools(): readonly string[];

  /** A kind of hardware that a plugin knows; null: the default. */
  get requiredHardware(): string | null {
    return null;
  }

  /** Seconds for `preScoringHook` and judge of each step. */
  get scoringTimeLimitSeconds(): number {
    return DEFAULT_SCORING_TIME_LIMIT_SECONDS;
  }

  /** For `container_run_args` plugins. */
  get dataMounts(): readonly Record<string, unknown>[] {
    return [];
  }

  /** Configuration of tools by name, checked by each tool's schema before the run starts. */
  configureTools(): Record<string, unknown> | Promise<Record<string, unknown>> {
    return {};
  }

  /** Before the first step, as root; what it returns is recorded as metadata. */
  preHook(_context: RunContext): MaybeMetadata | Promise<MaybeMetadata> {}
}

/** What `preHook` found, as JSON; nothing is the common case. */
export type MaybeMetadata = Record<string, unknown> | void;

/** What `src/environment/tasks/` exports: a `Task` subclass that can be constructed. */
export type TaskClass = {
  new (config: EvaluationRunConfig): Task;
  readonly id: string;
};
