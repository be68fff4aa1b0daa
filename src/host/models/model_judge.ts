import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import { costOf } from "../../models/cost.ts";
import type { Model } from "../../models/model.ts";
import { ModelFailure } from "../../protocol/model_failure.ts";
import {
  CONTEXT_IS_FULL,
  type JudgeAnswer,
  type JudgeQuestion,
  MOST_PAUSES,
  PAUSED,
  type Usage,
} from "../../protocol/turn.ts";
import type { Spent } from "../../records/usage_text.ts";
import { type Message, message } from "../../schemas/message.ts";
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
    const { questions, input_tokens, output_tokens, cache_read_tokens } = this.#allowance.totals;
    if (questions === 0) return null;
    return {
      input: input_tokens,
      output: output_tokens,
      cacheRead: cache_read_tokens,
      cost: this.#cost,
    };
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
    const messages = [message({ role: "user", content: question.prompt })];
    let usage: Usage | null | undefined;
    for (let pauses = 0; pauses <= MOST_PAUSES; pauses++) {
      const turn = await model.ask({
        messages,
        tools: [],
        runId: run.config.run_id,
        reasoningEffort: null,
        signal,
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      });
      this.#count(id, turn.usage);
      usage = usage === undefined ? turn.usage : sumOf(usage, turn.usage);
      const { finish_reason } = turn;
      messages.push(turn.message);
      if (finish_reason === PAUSED) continue;
      if (finish_reason === CONTEXT_IS_FULL) throw fullContext(id);
      return { text: textOfAll(messages.slice(1)), finish_reason, usage, model: id };
    }
    const told = `${id}: the model paused ${MOST_PAUSES + 1} times in one answer`;
    throw new ModelFailure(told, { kind: "provider" });
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

/** An answer is one text, however often its model paused. */
function textOfAll(answers: readonly Message[]): string {
  return answers.map(textOf).join("");
}

/** Null if the provider doesn't tell of one of them. */
function sumOf(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return null;
  const sum = (a: number | null, b: number | null) =>
    a === null && b === null ? null : (a ?? 0) + (b ?? 0);
  return {
    ...other,
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_read_tokens: sum(one.cache_read_tokens, other.cache_read_tokens),
    cache_write_tokens: sum(one.cache_write_tokens, other.cache_write_tokens),
  };
}

function fullContext(id: string): ModelFailure {
  const told = `${id}: the model's context was full before its answer was over`;
  return new ModelFailure(told, { kind: "context_length" });
}
