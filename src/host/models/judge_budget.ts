import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import { costOf } from "../../models/cost.ts";
import type { ModelPrice } from "../../models/model_spec.ts";
import type { JudgeQuestion, Usage } from "../../protocol/turn.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import { JudgeRefusal } from "./judge_refusal.ts";

/** The ceilings of what the judges of one run may ask. */
export type JudgeCeilings = Pick<
  EvaluationRunConfig,
  "max_judge_questions" | "max_judge_tokens" | "max_judge_cost"
>;

/** The most questions of one run: far more than rubrics have criteria. It stops endless loops. */
const MOST_QUESTIONS = 1_000;
/** The most tokens, read and written, of the questions of one run: some tens of dollars. */
const MOST_TOKENS = 5_000_000;
/** Repeated questions that each question makes free: the second one, and a control question. */
const REPEATS_PER_QUESTION = 2;
/** Characters of a token where the provider does not tell: those of English, roughly. */
const CHARACTERS_PER_TOKEN = 4;

/** A question that was let through, until `end` says what it took. */
export interface CountedQuestion {
  /** Takes what each of its requests took, null where the provider did not tell, and its answer. */
  end(taken: readonly (Usage | null)[], answer: string | null): void;
}

/**
 * The questions, tokens and dollars that the judges of one run may still use. Repeated questions
 * (`repeated`) count neither as questions nor for the tokens: a judge asks them where an answer is
 * unclear, which a student can bring about, and then the ceiling would be an error of the student's
 * making, which is to say a second try. Their number is bounded all the same: each question makes
 * two of them free, and any more count as others do. They do count for the cost, which is a limit
 * that the user sets on what is really paid.
 */
export class JudgeBudget {
  readonly #ceilings: JudgeCeilings;
  #questions = 0;
  #repeats = 0;
  #tokens = 0;
  #cost = 0;

  constructor(ceilings: JudgeCeilings) {
    this.#ceilings = ceilings;
  }

  /**
   * Counts a question before it is asked: while it is, with the tokens of its text. Throws a
   * `JudgeRefusal` that says which ceiling was reached and what raises it.
   */
  begin({ prompt, repeated }: JudgeQuestion, model: string): CountedQuestion {
    const isFree = (repeated ?? false) && this.#repeats < REPEATS_PER_QUESTION * this.#questions;
    if (!isFree) this.#checkQuestions();
    const price = this.#checkCost(model);
    if (isFree) this.#repeats += 1;
    else this.#questions += 1;
    const reserved = estimated(prompt, "");
    this.#add(reserved, { price, isFree, sign: 1 });
    return {
      end: (taken, answer) => {
        this.#add(reserved, { price, isFree, sign: -1 });
        for (const usage of taken) {
          this.#add(usage ?? estimated(prompt, answer ?? ""), { price, isFree, sign: 1 });
        }
      },
    };
  }

  #checkQuestions(): void {
    const mostQuestions = this.#ceilings.max_judge_questions ?? MOST_QUESTIONS;
    if (this.#questions >= mostQuestions) {
      throw reached(
        `${counted(mostQuestions)} questions`,
        `${counted(this.#questions)} were asked`,
        "questions",
      );
    }
    const mostTokens = this.#ceilings.max_judge_tokens ?? MOST_TOKENS;
    if (this.#tokens >= mostTokens) {
      throw reached(
        `${counted(mostTokens)} tokens`,
        `${counted(this.#tokens)} were used`,
        "tokens",
      );
    }
  }

  /** Returns the price of a model; null: nobody knows it. */
  #checkCost(model: string): ModelPrice | null {
    const { price } = modelSpec(model);
    const most = this.#ceilings.max_judge_cost;
    if (most === null) return price;
    if (price === null) {
      throw new JudgeRefusal(
        `Judges can't ask model ${JSON.stringify(model)} within --max-judge-cost: ` +
          "its price is not known; set --max-judge-tokens instead",
      );
    }
    if (this.#cost >= most) {
      throw reached(`$${most}`, `$${this.#cost.toFixed(4)} were spent`, "cost");
    }
    return price;
  }

  #add(
    usage: Usage,
    { price, isFree, sign }: {
      readonly price: ModelPrice | null;
      readonly isFree: boolean;
      readonly sign: 1 | -1;
    },
  ): void {
    if (!isFree) this.#tokens += sign * (usage.input_tokens + usage.output_tokens);
    if (price !== null) this.#cost += sign * costOf(usage, price);
  }
}

function reached(ceiling: string, used: string, what: "questions" | "tokens" | "cost") {
  return new JudgeRefusal(
    `The judges of this run reached their ceiling of ${ceiling} (${used}): ` +
      `raise it with --max-judge-${what}, or "max_judge_${what}" in the run config`,
  );
}

function counted(number: number): string {
  return number.toLocaleString("en-US");
}

/** Returns what a request takes by the length of its texts. */
function estimated(prompt: string, answer: string): Usage {
  return {
    input_tokens: Math.ceil(prompt.length / CHARACTERS_PER_TOKEN),
    output_tokens: Math.ceil(answer.length / CHARACTERS_PER_TOKEN),
    cache_read_tokens: null,
    cache_write_tokens: null,
    estimated: true,
    service_tier: null,
  };
}
