import { costOf } from "../models/cost.ts";
import type { ModelPrice } from "../models/model_spec.ts";
import { addSpent, emptySpent, type Spent } from "../schemas/spent.ts";
import type { RunStatus, TranscriptEvent } from "../schemas/transcript.ts";

/** The state of a run, derived from its events. */
export class RunSummary {
  readonly #price: ModelPrice | null;
  /** Null while the run is going on. */
  status: RunStatus | null = null;
  /** The step under way, counted from 0; null outside of steps. */
  currentStep: number | null = null;
  readonly stepScores: { readonly step: number; readonly score: number }[] = [];
  /** The total of the student's turns; null until the provider reported some tokens. */
  spent: Spent | null = null;
  error: { readonly type: string; readonly message: string } | null = null;

  /** Takes the price of the student's model; absent or null: not known. */
  constructor(price: ModelPrice | null = null) {
    this.#price = price;
  }

  /** The score of the run: that of the last step that was scored. */
  get score(): number | null {
    return this.stepScores.at(-1)?.score ?? null;
  }

  add(event: TranscriptEvent): void {
    switch (event.type) {
      case "step_started":
        this.currentStep = event.step;
        break;
      case "step_completed":
        this.currentStep = null;
        break;
      case "scoring":
        this.stepScores.push({ step: this.currentStep ?? 0, score: event.scoring.score });
        break;
      case "token_usage": {
        const cost = this.#price === null ? null : costOf(event, this.#price);
        this.spent = addSpent(this.spent ?? emptySpent, { ...event, cost });
        break;
      }
      case "error":
        this.error = { type: event.exception_type, message: event.message };
        break;
      case "task_completed":
        this.status = event.status;
        break;
    }
  }
}
