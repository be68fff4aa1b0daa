import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { Scoring } from "../schemas/scoring.ts";
import type { Judge } from "./judges/judge.ts";
import type { RunContext } from "./run_context.ts";
import type { SubmissionLimits } from "./submission.ts";
import {
  DEFAULT_SCORING_TIME_LIMIT_SECONDS,
  type MaybeMetadata,
  Step,
  type StudentLinks,
  Task,
  type TaskClass,
} from "./task.ts";

/** A value, or a function that makes it from the run config. */
export type FromConfig<Value> = Value | ((config: EvaluationRunConfig) => Value);

/** A step of a task that `createTask` makes: the members of `Step`, as values. */
export interface StepOptions {
  /** The text that the student is given. */
  instructions: FromConfig<string>;
  /** Scores the step. */
  judge: FromConfig<Judge>;
  /**
   * Absolute paths in the sandbox where the student's work is expected, files or folders: they are
   * copied for the judge, see `Step.submissionPaths`; absent: none.
   */
  submissionPaths?: readonly string[];
  /** The most that each submission may hold; the defaults where it says nothing. */
  submissionLimits?: SubmissionLimits;
  /** Whether the student's processes go on while it is scored, see `Step`; absent: they end. */
  keepProcesses?: boolean;
  /** What the student's links into places of root's are, see `Step`; absent: score 0. */
  studentLinks?: StudentLinks;
  /** Runs after the student is done, before the judge; both share the scoring time limit. */
  preScoringHook?(context: RunContext): void | Promise<void>;
  /** Runs after the score was recorded. */
  postHook?(context: RunContext, scoring: Scoring): void | Promise<void>;
}

/** A task that `createTask` makes: the members of `Task`, as values. */
export interface TaskOptions {
  /** Unique in the environment; at most 255 characters. */
  id: string;
  /** Names of built-in tools and of files in `src/environment/tools/`. */
  tools: readonly string[];
  /** The steps, in order. */
  steps: FromConfig<readonly StepOptions[]>;
  /** Null: the conversation starts with the first step's instructions. */
  systemPrompt: FromConfig<string | null>;
  /** A kind of hardware that a plugin knows; absent: the default. */
  requiredHardware?: string;
  /** For `preScoringHook` and judge of each step; 600 if absent. */
  scoringTimeLimitSeconds?: number;
  /** For `container_run_args` plugins; absent: none. */
  dataMounts?: readonly Record<string, unknown>[];
  /** Returns configuration of tools by name, checked by each tool's schema. */
  configureTools?(): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Runs before the first step, as root; what it returns is recorded as metadata. */
  preHook?(context: RunContext): MaybeMetadata | Promise<MaybeMetadata>;
}

/**
 * A task without a class of its own:
 *
 * ```ts
 * export const greet = createTask({
 *   id: "greet",
 *   tools: ["bash"],
 *   systemPrompt: "You are a careful engineer.",
 *   steps: [{
 *     instructions: "Write hello into /workdir/hello.txt.",
 *     judge: new ExecutableJudge({ script: "scoring/check_hello.ts" }),
 *   }],
 * });
 * ```
 */
export function createTask(options: TaskOptions): TaskClass {
  return class extends Task {
    static override readonly id = options.id;

    override get systemPrompt() {
      return fromConfig(options.systemPrompt, this.config);
    }

    override get steps() {
      return fromConfig(options.steps, this.config).map((step) => stepOf(step, this.config));
    }

    override get tools() {
      return options.tools;
    }

    override get requiredHardware() {
      return options.requiredHardware ?? null;
    }

    override get scoringTimeLimitSeconds() {
      return options.scoringTimeLimitSeconds ?? DEFAULT_SCORING_TIME_LIMIT_SECONDS;
    }

    override get dataMounts() {
      return options.dataMounts ?? [];
    }

    override configureTools() {
      return options.configureTools?.() ?? {};
    }

    override preHook(context: RunContext) {
      return options.preHook?.(context);
    }
  };
}

function stepOf(options: StepOptions, config: EvaluationRunConfig): Step {
  return new class extends Step {
    override get instructions() {
      return fromConfig(options.instructions, config);
    }

    override get judge() {
      return fromConfig(options.judge, config);
    }

    override get submissionPaths() {
      return options.submissionPaths ?? [];
    }

    override get submissionLimits() {
      return options.submissionLimits ?? {};
    }

    override get keepProcesses() {
      return options.keepProcesses ?? false;
    }

    override get studentLinks() {
      return options.studentLinks ?? "refuse";
    }

    override preScoringHook(context: RunContext) {
      return options.preScoringHook?.(context);
    }

    override postHook(context: RunContext, scoring: Scoring) {
      return options.postHook?.(context, scoring);
    }
  }(config);
}

function fromConfig<Value>(value: FromConfig<Value>, config: EvaluationRunConfig): Value {
  return typeof value === "function"
    ? (value as (config: EvaluationRunConfig) => Value)(config)
    : value;
}
