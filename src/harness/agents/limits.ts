import { type EvaluationRunConfig, limitForStep } from "../../schemas/run_config.ts";
import type { StepLimitReached } from "../../schemas/transcript.ts";

/** The model had as many turns as the run allows: the run ends. */
export class TurnLimitError extends Error {
  override readonly name = "TurnLimitError";
}

/** The time of a step is over: the run ends, or the step where the config says so. */
export class StepTimeLimitError extends Error {
  override readonly name = "StepTimeLimitError";
}

/** The conversation is too long for a step: the run ends, or the step where the config says so. */
export class StepContextLimitError extends Error {
  override readonly name = "StepContextLimitError";
}

/** The model said nothing too often in a row: the run ends. */
export class EmptyTurnLimitError extends Error {
  override readonly name = "EmptyTurnLimitError";
}

/** Records that a limit ended a step. */
export type LimitRecord = (reached: StepLimitReached) => Promise<void>;

/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The limits of one step. They are checked between turns, and `cut` fires when the time is over.
 * Whichever ends the step is recorded first. Dispose of it at the step's end.
 */
export class StepLimits implements Disposable {
  readonly #config: EvaluationRunConfig;
  readonly #step: number;
  readonly #record: LimitRecord;
  readonly #start = performance.now();
  readonly #seconds: number | null;
  readonly #maxContextTokens: number | null;
  readonly #cut = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #contextTokens: number | null = null;

  constructor(config: EvaluationRunConfig, step: number, record: LimitRecord) {
    this.#config = config;
    this.#step = step;
    this.#record = record;
    this.#seconds = limitForStep(config.step_time_limit_seconds, step);
    this.#maxContextTokens = limitForStep(config.step_context_window_limit, step);
    if (this.#seconds !== null && this.#seconds * 1000 <= MAX_TIMER_MS) {
      const over = new StepTimeLimitError(`The step's time of ${this.#seconds} s is over`);
      this.#timer = setTimeout(() => this.#cut.abort(over), this.#seconds * 1000);
    }
  }

  /** Sets the input tokens of the latest turn. */
  set contextTokens(tokens: number) {
    this.#contextTokens = tokens;
  }

  /** Milliseconds that are left of the step's time; null = no limit. */
  get remainingMs(): number | null {
    return this.#seconds === null ? null : Math.max(0, this.#seconds * 1000 - this.#usedMs());
  }

  /** Fires at the end of the step's time, for what runs then; its reason tells of the limit. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /**
   * Takes the model's refusal of a conversation as too long: returns if the step is to be scored.
   */
  async exceedContext(failure: Error): Promise<void> {
    const outcome = this.#config.on_step_context_window_limit;
    await this.#recordContext(outcome, failure.message);
    if (outcome === "score") return;
    throw new StepContextLimitError(failure.message, { cause: failure });
  }

  /** Takes a turn that can't come within the step's time: returns if the step is to be scored. */
  async exceedTime(failure: Error): Promise<void> {
    const outcome = this.#config.on_step_time_limit;
    await this.#recordTime(outcome, failure.message);
    if (outcome === "score") return;
    throw new StepTimeLimitError(failure.message, { cause: failure });
  }

  /** Takes a turn beyond the run's limit of turns: throws. */
  async exceedTurns(allowed: number): Promise<never> {
    const numbers = { allowed, used: allowed, overrun: 0 };
    const of = { step: this.#step, limit: "turns", unit: "turns", reason: null } as const;
    await this.#record({ ...of, ...numbers, outcome: "error" });
    throw new TurnLimitError(`The model had its ${allowed} turns`);
  }

  /** Tells whether the step is over and to be scored; throws if the run is over. */
  async reached(): Promise<boolean> {
    if (this.remainingMs === 0) {
      await this.#recordTime(this.#config.on_step_time_limit, null);
      if (this.#config.on_step_time_limit === "score") return true;
      throw new StepTimeLimitError("The step's time is over");
    }
    const tokens = this.#contextTokens ?? 0;
    if (this.#maxContextTokens !== null && tokens >= this.#maxContextTokens) {
      await this.#recordContext(this.#config.on_step_context_window_limit, null);
      if (this.#config.on_step_context_window_limit === "score") return true;
      throw new StepContextLimitError(
        `The conversation has ${tokens} tokens, the step's limit is ${this.#maxContextTokens}`,
      );
    }
    return false;
  }

  /** Returns notes for the student after a turn's tool calls; none without limits or counters. */
  notes(): string[] {
    const notes: string[] = [];
    if (this.remainingMs !== null && this.#config.inject_time_remaining_counter) {
      notes.push(`Time remaining: ${Math.floor(this.remainingMs / 1000)} seconds`);
    }
    if (this.#maxContextTokens !== null && this.#config.inject_context_remaining_counter) {
      const tokens = Math.max(0, this.#maxContextTokens - (this.#contextTokens ?? 0));
      notes.push(`Context remaining: ${tokens} tokens`);
    }
    return notes;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  async #recordTime(outcome: "score" | "error", reason: string | null): Promise<void> {
    const used = Math.round(this.#usedMs()) / 1000;
    const numbers = { allowed: this.#seconds, used, overrun: overrun(used, this.#seconds) };
    const of = { step: this.#step, limit: "time", unit: "seconds" } as const;
    await this.#record({ ...of, ...numbers, outcome, reason });
  }

  async #recordContext(outcome: "score" | "error", reason: string | null): Promise<void> {
    const [used, allowed] = [this.#contextTokens, this.#maxContextTokens];
    // A refusal says nothing of the length of what was refused.
    const over = reason === null ? overrun(used, allowed) : null;
    const of = { step: this.#step, limit: "context", unit: "tokens" } as const;
    await this.#record({ ...of, allowed, used, overrun: over, outcome, reason });
  }

  #usedMs(): number {
    return performance.now() - this.#start;
  }
}

function overrun(used: number | null, allowed: number | null): number | null {
  if (used === null || allowed === null) return null;
  return Math.max(0, Math.round((used - allowed) * 1000) / 1000);
}
