import { costOf } from "../models/cost.ts";
import type { ModelPrice } from "../models/model_spec.ts";
import { addSpent, emptySpent, type Spent } from "../schemas/spent.ts";
import type { JudgeUsage } from "../schemas/judge_usage.ts";
import type { RunStatus, TranscriptEvent } from "../schemas/transcript.ts";

/** Returns the price of a run's model; null: not known. */
export type PriceOf = (model: string | null) => ModelPrice | null;

/** Number of scores that are kept of a run: a sandbox may send events without end. */
const MOST_STEP_SCORES = 10_000;

/** The state of a run, derived from its events. */
export class RunSummary {
  readonly #priceOf: PriceOf;
  /** The id of the run, of its task and of its model, as the run's first event has them. */
  runId: string | null = null;
  taskId: string | null = null;
  model: string | null = null;
  /** ISO 8601 in UTC; null: not yet. */
  started: string | null = null;
  /** ISO 8601 in UTC; null: not yet. */
  ended: string | null = null;
  /** Null while the run is going on. */
  status: RunStatus | null = null;
  /** The step under way, counted from 0; null outside of steps. */
  currentStep: number | null = null;
  /** The first 10,000. */
  readonly stepScores: { readonly step: number; readonly score: number }[] = [];
  /** The score of the run: that of the last step that was scored. */
  score: number | null = null;
  /** The total of the student's turns; null until the provider reported some tokens. */
  spent: Spent | null = null;
  /** The total of the judges' questions; null until one was asked. */
  judged: Spent | null = null;
  error: { readonly type: string; readonly message: string } | null = null;

  /** Makes the summary of a run that has no event; without `priceOf` no cost is known. */
  constructor(priceOf: PriceOf = () => null) {
    this.#priceOf = priceOf;
  }

  add(event: TranscriptEvent): void {
    switch (event.type) {
      case "task_started":
        this.runId ??= event.run_id;
        this.taskId ??= event.task_id;
        this.model ??= event.model;
        this.started ??= event.timestamp;
        break;
      case "step_started":
        this.currentStep = event.step;
        break;
      case "step_completed":
        this.currentStep = null;
        break;
      case "scoring": {
        const { score } = event.scoring;
        if (this.stepScores.length < MOST_STEP_SCORES) {
          this.stepScores.push({ step: this.currentStep ?? 0, score });
        }
        this.score = score;
        break;
      }
      case "token_usage": {
        const price = this.#priceOf(this.model);
        const cost = price === null ? null : costOf(event, price);
        this.spent = addSpent(this.spent ?? emptySpent, { ...event, cost });
        break;
      }
      case "judge_usage":
        this.judged = addSpent(this.judged ?? emptySpent, spentOn(event.metadata));
        break;
      case "error":
        this.error = { type: event.exception_type, message: event.message };
        break;
      case "task_completed":
        this.status = event.status;
        this.ended = event.timestamp;
        break;
    }
  }
}

function spentOn({ input_tokens, output_tokens, ...rest }: JudgeUsage): Spent {
  const { cache_read_tokens, cache_write_tokens, cost } = rest;
  return {
    input_tokens: input_tokens ?? 0,
    output_tokens: output_tokens ?? 0,
    ...{ cache_read_tokens, cache_write_tokens, cost },
  };
}
