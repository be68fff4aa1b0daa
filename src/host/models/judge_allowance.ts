import type { Usage } from "../../protocol/turn.ts";

/** What the judges of one run took, apart from what the student took. */
export interface JudgeTotals {
  readonly questions: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  /** Answers whose tokens the provider did not tell: they count as none. */
  readonly answers_without_usage: number;
}

/** Far more than rubrics have criteria; a judge that never stops asking is stopped. */
const MOST_QUESTIONS = 1_000;

/** How many questions the judges of one run may ask, and what they took so far. */
export class JudgeAllowance {
  readonly #limit: number;
  #totals: JudgeTotals = {
    questions: 0,
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    answers_without_usage: 0,
  };

  constructor(limit: number = MOST_QUESTIONS) {
    this.#limit = limit;
  }

  get totals(): JudgeTotals {
    return this.#totals;
  }

  /** Counts a question before it is asked; throws a `JudgeRefusal` beyond the limit. */
  takeQuestion(): void {
    const { questions } = this.#totals;
    if (questions >= this.#limit) {
      throw new JudgeRefusal(`The judges of this run had their ${this.#limit} questions`);
    }
    this.#totals = { ...this.#totals, questions: questions + 1 };
  }

  /** Counts what an answer took. */
  addUsage(usage: Usage | null): void {
    const before = this.#totals;
    this.#totals = usage === null
      ? { ...before, answers_without_usage: before.answers_without_usage + 1 }
      : {
        ...before,
        input_tokens: before.input_tokens + usage.input_tokens,
        output_tokens: before.output_tokens + usage.output_tokens,
        cache_read_tokens: before.cache_read_tokens + (usage.cache_read_tokens ?? 0),
        cache_write_tokens: before.cache_write_tokens + (usage.cache_write_tokens ?? 0),
      };
  }
}

/**
 * A judge's question is not passed on to a model. The message is all that the transcript will have
 * of it, so it says what to do as well.
 */
export class JudgeRefusal extends Error {
  override readonly name = "JudgeRefusal";
}
