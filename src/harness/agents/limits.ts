import { type EvaluationRunConfig, limitForStep } from "../../schemas/run_config.ts";

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

/** The limits of one step, which are checked between turns only. */
export class StepLimits {
  readonly #config: EvaluationRunConfig;
  readonly #deadline: number | null;
  readonly #maxContextTokens: number | null;
  #contextTokens = 0;

  constructor(config: EvaluationRunConfig, step: number) {
    const seconds = limitForStep(config.step_time_limit_seconds, step);
    this.#config = config;
    this.#deadline = seconds === null ? null : performance.now() + seconds * 1000;
    this.#maxContextTokens = limitForStep(config.step_context_window_limit, step);
  }

  /** Sets the input tokens of the latest turn. */
  set contextTokens(tokens: number) {
    this.#contextTokens = tokens;
  }

  /** Milliseconds that are left of the step's time; null = no limit. */
  get remainingMs(): number | null {
    return this.#deadline === null ? null : Math.max(0, this.#deadline - performance.now());
  }

  /**
   * Takes the model's refusal of a conversation as too long: returns if the step is to be scored.
   */
  exceedContext(failure: Error): void {
    if (this.#config.on_step_context_window_limit === "score") return;
    throw new StepContextLimitError(failure.message, { cause: failure });
  }

  /** Takes a turn that can't come within the step's time: returns if the step is to be scored. */
  exceedTime(failure: Error): void {
    if (this.#config.on_step_time_limit === "score") return;
    throw new StepTimeLimitError(failure.message, { cause: failure });
  }

  /** Tells whether the step is over and to be scored; throws if the run is over. */
  reached(): boolean {
    if (this.#deadline !== null && performance.now() >= this.#deadline) {
      if (this.#config.on_step_time_limit === "score") return true;
      throw new StepTimeLimitError("The step's time is over");
    }
    if (this.#maxContextTokens !== null && this.#contextTokens >= this.#maxContextTokens) {
      if (this.#config.on_step_context_window_limit === "score") return true;
      throw new StepContextLimitError(
        `The conversation has ${this.#contextTokens} tokens, the step's limit is ` +
          `${this.#maxContextTokens}`,
      );
    }
    return false;
  }

  /** Returns notes for the student after a turn's tool calls; none without limits or counters. */
  notes(): string[] {
    const notes: string[] = [];
    if (this.#deadline !== null && this.#config.inject_time_remaining_counter) {
      const seconds = Math.floor((this.remainingMs ?? 0) / 1000);
      notes.push(`Time remaining: ${seconds} seconds`);
    }
    if (this.#maxContextTokens !== null && this.#config.inject_context_remaining_counter) {
      const tokens = Math.max(0, this.#maxContextTokens - this.#contextTokens);
      notes.push(`Context remaining: ${tokens} tokens`);
    }
    return notes;
  }
}
