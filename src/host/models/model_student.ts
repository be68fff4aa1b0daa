import type { Model } from "../../models/model.ts";
import type { NextTurnOptions } from "../../protocol/host_link.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { Turn } from "../../protocol/turn.ts";
import type { Conversation } from "./conversation.ts";
import type { StudentSource } from "./run_answers.ts";

export interface ModelStudentOptions {
  readonly config: EvaluationRunConfig;
  /** Opens the model; it is called once, before the first turn. */
  open(): Promise<Model>;
  readonly reasoningEffort: string | null;
}

/** A student that is a model of a provider. */
export class ModelStudent implements StudentSource {
  readonly #options: ModelStudentOptions;
  #model: Promise<Model> | undefined;

  constructor(options: ModelStudentOptions) {
    this.#options = options;
  }

  async nextTurn(
    { messages, tools }: Conversation,
    { signal, remainingMs }: NextTurnOptions,
  ): Promise<Turn> {
    const { config, open, reasoningEffort } = this.#options;
    const model = await (this.#model ??= open());
    return await model.ask({
      messages,
      tools,
      runId: config.run_id,
      reasoningEffort,
      signal,
      ...(remainingMs === null ? {} : { remainingMs }),
    });
  }
}
