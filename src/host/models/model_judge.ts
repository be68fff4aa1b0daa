import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import { costOf } from "../../models/cost.ts";
import type { Model } from "../../models/model.ts";
import type { JudgeAnswer, JudgeQuestion, Usage } from "../../protocol/turn.ts";
import { message } from "../../schemas/message.ts";
import type { Spent } from "../../schemas/spent.ts";
import { textOf } from "../../sdk/transcript.ts";
import { JudgeAllowance, JudgeRefusal } from "./judge_allowance.ts";
import { judgeKeyFor } from "./judge_keys.ts";
import { judgeModelFor } from "./judge_models.ts";
import { secretKeys } from "./key_source.ts";
import type { JudgeSource } from "./model_calls.ts";
import type { KeyOptions } from "./model_keys.ts";
import type { ModelledRun } from "./run_sources.ts";

export interface ModelJudgeOptions {
  readonly run: ModelledRun;
  readonly keyOptions: KeyOptions;
  /** What the environment lists under `judge_models`. */
  readonly allowed: readonly string[];
  open(id: string, apiKey: string | null): Promise<Model>;
}

/** More than any model reads; a question comes from the sandbox. */
const MOST_PROMPT_CHARS = 16 * 1024 * 1024;

/** Answers judges by the models that they may ask. */
export class ModelJudge implements JudgeSource {
  readonly #options: ModelJudgeOptions;
  readonly #allowance = new JudgeAllowance();
  readonly #models = new Map<string, Promise<Model>>();
  #cost: number | null = 0;

  constructor(options: ModelJudgeOptions) {
    this.#options = options;
  }

  /** What they took so far; null if none was asked. */
  get spent(): Spent | null {
    const { questions, ...tokens } = this.#allowance.totals;
    return questions === 0 ? null : { ...tokens, cost: this.#cost };
  }

  async answer(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer> {
    const { run, keyOptions, allowed } = this.#options;
    this.#allowance.takeQuestion();
    if (question.prompt.length > MOST_PROMPT_CHARS) {
      throw new JudgeRefusal(
        `A judge's question has ${question.prompt.length} characters: ` +
          `it may have ${MOST_PROMPT_CHARS}`,
      );
    }
    const id = judgeModelFor(question, { config: run.config, allowed });
    const { key } = judgeKeyFor(id, { ...keyOptions, config: run.config, question });
    run.redactor.add(secretKeys([key]));
    const model = await this.#open(id, key);
    const { temperature, max_output_tokens: maxOutputTokens } = question;
    const turn = await model.ask({
      messages: [message({ role: "user", content: question.prompt })],
      tools: [],
      runId: run.config.run_id,
      reasoningEffort: null,
      signal,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
    this.#count(id, turn.usage);
    const { finish_reason, usage } = turn;
    return { text: textOf(turn.message), finish_reason, usage, model: id };
  }

  #open(id: string, key: string | null): Promise<Model> {
    const name = JSON.stringify([id, key]);
    const model = this.#models.get(name) ?? this.#options.open(id, key);
    this.#models.set(name, model);
    return model;
  }

  #count(id: string, usage: Usage | null): void {
    this.#allowance.addUsage(usage);
    const { price } = modelSpec(id);
    this.#cost = this.#cost === null || usage === null || price === null
      ? null
      : this.#cost + costOf(usage, price);
  }
}
