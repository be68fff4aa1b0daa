import { costOf } from "../models/cost.ts";
import type { ModelPrice } from "../models/model_spec.ts";
import type { RunStatus, TranscriptEvent } from "../schemas/transcript.ts";

/** Tokens of a run's turns so far. */
export interface TokenTotals {
  input: number;
  output: number;
  /** Part of `input`; null until the provider reported some. */
  cacheRead: number | null;
  /** Part of `input`; null until the provider reported some. */
  cacheWrite: number | null;
}

/** What a run has come to, derived from its events. */
export class RunSummary {
  readonly #price: ModelPrice | null;
  /** Null while the run is going on. */
  status: RunStatus | null = null;
  /** The step under way, counted from 0; null outside of steps. */
  currentStep: number | null = null;
  readonly stepScores: { readonly step: number; readonly score: number }[] = [];
  readonly warnings: string[] = [];
  /** Of the student's turns; null until the provider reported some. */
  tokens: TokenTotals | null = null;
  /** USD of the student's turns; null if there are no tokens, or no price is known. */
  cost: number | null = null;
  error: { readonly type: string; readonly message: string } | null = null;

  /** The price of the student's model; absent or null: not known. */
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
        const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = event;
        const before = this.tokens;
        this.tokens = {
          input: (before?.input ?? 0) + input_tokens,
          output: (before?.output ?? 0) + output_tokens,
          cacheRead: sum(before?.cacheRead ?? null, cache_read_tokens),
          cacheWrite: sum(before?.cacheWrite ?? null, cache_write_tokens),
        };
        if (this.#price !== null) this.cost = (this.cost ?? 0) + costOf(event, this.#price);
        break;
      }
      case "warning":
        this.warnings.push(event.message);
        break;
      case "error":
        this.error = { type: event.exception_type, message: event.message };
        break;
      case "task_completed":
        this.status = event.status;
        break;
    }
  }
}

function sum(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}
