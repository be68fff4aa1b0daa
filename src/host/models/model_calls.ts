import { messageOf } from "../../base/errors.ts";
import { ModelFailure } from "../../protocol/model_failure.ts";
import type { NextTurnOptions } from "../../protocol/host_link.ts";
import type { CallFailure } from "../../protocol/rpc.ts";
import type { JudgeAnswer, JudgeQuestion, Turn } from "../../protocol/turn.ts";
import type { Conversation } from "./conversation.ts";
import type { Redactor } from "../../records/redactor.ts";

/** Where the student's turns come from: a model, or an agent elsewhere. */
export interface StudentSource {
  nextTurn(conversation: Conversation, options: NextTurnOptions): Promise<Turn>;
}

/** Where judges' answers come from. */
export interface JudgeSource {
  answer(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer>;
}

export interface ModelCallsOptions {
  readonly student: StudentSource;
  readonly judge: JudgeSource;
  /** Most turns of the run; null = no limit. */
  readonly turnLimit: number | null;
  readonly redactor: Redactor;
}

/** The student asked for more turns than the run allows. */
class TurnLimitError extends Error {
  override readonly name = "TurnLimitError";
}

/**
 * The model calls of one run. The sandbox asks for them, so they are counted here too, and nothing
 * secret goes back with an answer.
 */
export class ModelCalls {
  readonly conversation: Conversation;
  readonly #options: ModelCallsOptions;
  #turns = 0;
  #isBusy = false;

  constructor(conversation: Conversation, options: ModelCallsOptions) {
    this.conversation = conversation;
    this.#options = options;
  }

  /** The student's next turn. Rejects with what `callFailure` can tell. */
  async next(options: NextTurnOptions): Promise<Turn> {
    const { student, turnLimit, redactor } = this.#options;
    if (this.#isBusy) throw new Error("The last turn is still awaited");
    if (turnLimit !== null && this.#turns >= turnLimit) {
      throw new TurnLimitError(`The model had its ${turnLimit} turns`);
    }
    this.#turns += 1;
    this.#isBusy = true;
    try {
      return redactor.json(await student.nextTurn(this.conversation, options));
    } finally {
      this.#isBusy = false;
    }
  }

  /** A model's answer to a judge. Rejects with what `callFailure` can tell. */
  async judge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer> {
    return this.#options.redactor.json(await this.#options.judge.answer(question, signal));
  }

  /** What the sandbox is told of a call that failed. */
  failure(error: unknown): CallFailure {
    return {
      name: error instanceof Error ? error.name : "Error",
      message: this.#options.redactor.text(messageOf(error)),
      kind: error instanceof ModelFailure ? error.kind : null,
    };
  }
}
