import type { Model } from "../../models/model.ts";
import type { JudgeAnswer, JudgeQuestion, Usage } from "../../protocol/turn.ts";
import type { Redactor } from "../../records/redactor.ts";
import { message } from "../../schemas/message.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { NewEvent } from "../../schemas/transcript.ts";
import type { JudgeKey } from "../environment/environment_settings.ts";
import { JudgeBudget } from "./judge_budget.ts";
import { judgeKeyFor } from "./judge_keys.ts";
import { judgeModelFor } from "./judge_models.ts";
import { JudgeRefusal } from "./judge_refusal.ts";
import { judgeUsageEvent } from "./judge_usage.ts";
import { secretKeys } from "./key_source.ts";
import type { KeyOptions } from "./model_keys.ts";
import type { JudgeSource } from "./run_answers.ts";
import { wholeAnswer } from "./whole_answer.ts";

export interface ModelJudgeOptions {
  readonly config: EvaluationRunConfig;
  /** Is given each key before it is used. */
  readonly redactor: Redactor;
  readonly keyOptions: KeyOptions;
  /** The models that the environment lists under `judge_models`. */
  readonly allowed: readonly string[];
  /** The keys that the environment names under `judge_keys`. */
  readonly judgeKeys: readonly JudgeKey[];
  open(id: string, apiKey: string | null): Promise<Model>;
  /** Records the event of a question that a model was asked. */
  record(event: NewEvent): Promise<void>;
}

/** The most characters of a question, which comes from the sandbox: no model reads more. */
const MOST_PROMPT_CHARS = 16 * 1024 * 1024;

/** Answers the judges of one run by the models that they may ask, and records what that takes. */
export class ModelJudge implements JudgeSource {
  readonly #options: ModelJudgeOptions;
  readonly #models = new Map<string, Promise<Model>>();
  readonly #budget: JudgeBudget;

  constructor(options: ModelJudgeOptions) {
    this.#options = options;
    this.#budget = new JudgeBudget(options.config);
  }

  /**
   * Asks the model of a question. Rejects with a `JudgeRefusal` if the question is too long or
   * beyond a ceiling, or if its model or key may not be used, and as the model does.
   */
  async answer(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer> {
    const { config, redactor, keyOptions, allowed, judgeKeys, record } = this.#options;
    if (question.prompt.length > MOST_PROMPT_CHARS) {
      throw new JudgeRefusal(
        `A judge's question has ${question.prompt.length} characters: ` +
          `it may have ${MOST_PROMPT_CHARS}`,
      );
    }
    const id = judgeModelFor(question, { config, allowed });
    const { key } = judgeKeyFor(id, { ...keyOptions, config, question, judgeKeys });
    redactor.add(secretKeys([key]));
    const model = await this.#open(id, key);
    const counted = this.#budget.begin(question, id);
    const { temperature, max_output_tokens: maxOutputTokens } = question;
    const taken: (Usage | null)[] = [];
    let said: Omit<JudgeAnswer, "model"> | undefined;
    try {
      said = await wholeAnswer(model, {
        request: {
          messages: [message({ role: "user", content: question.prompt })],
          tools: [],
          runId: config.run_id,
          reasoningEffort: null,
          signal,
          ...(temperature === undefined ? {} : { temperature }),
          ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
        },
        onUsage: (usage) => taken.push(usage),
      });
    } finally {
      // What was given up has no usage, and is paid for all the same.
      const isGivenUp = said === undefined && signal.aborted;
      counted.end(isGivenUp ? [...taken, null] : taken, said?.text ?? null);
      const asked = { model: id, question, answer: said?.text ?? null, taken };
      await record(await judgeUsageEvent(asked, redactor));
    }
    return { ...said, model: id };
  }

  #open(id: string, key: string | null): Promise<Model> {
    const name = JSON.stringify([id, key]);
    const model = this.#models.get(name) ?? this.#options.open(id, key);
    this.#models.set(name, model);
    return model;
  }
}
