import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { type CheckedRubric, checkedRubric, type RubricJudgeOptions } from "./rubric_options.ts";
import { readReply, type Reply, rubricPrompt } from "./rubric_prompt.ts";
import { withinBytes, withoutLoneSurrogates } from "./rubric_text.ts";

/** Room for reasoning models to think before they answer. */
const MAX_OUTPUT_TOKENS = 32_000;
const TITLE_CHARACTERS = 30;

/** The model that a rubric judge asked gave no verdict. */
export class RubricJudgeError extends Error {
  /** The class's name. */
  override readonly name = "RubricJudgeError";
}

/**
 * Lets a model decide, which is asked for each criterion in turn whether it is met. The score is
 * the sum of the weights of those that are, and metadata says why. What the student wrote is shown
 * to the model as data, in a fence that it can't close.
 *
 * ```ts
 * new RubricJudge({
 *   rubric: [
 *     { criterion: "The summary names all three causes.", weight: 0.75 },
 *     { criterion: "It is no longer than a page.", weight: 0.25 },
 *   ],
 *   context: [files(["/workdir/summary.md"])],
 *   continueThreshold: 0.5,
 * });
 * ```
 */
export class RubricJudge extends Judge {
  readonly #options: CheckedRubric;

  /** Throws a `TypeError` that names the option that is wrong; a key must be named, not given. */
  constructor(options: RubricJudgeOptions) {
    super();
    this.#options = checkedRubric(options);
  }

  /**
   * Metadata, texts all: `criterion_<index>_<its first 30 characters>` is `✓: reason` or
   * `✗: reason`; `context` is what the model was shown, `final_score` the sum and
   * `pass_threshold` `> threshold`. With nothing to show the score is 0. Rejects if there is no
   * model to ask, if the model can't be had, and with a `RubricJudgeError` if it says nothing.
   */
  override async evaluate(transcript: Transcript, context: RunContext): Promise<Scoring> {
    const { rubric, continueThreshold } = this.#options;
    const shown = await this.#shown(transcript, context);
    if (shown === "") return scoring(0, { error: "there is nothing to judge" }, false);
    const metadata: Record<string, string> = {};
    let score = 0;
    for (const [index, { criterion, weight }] of rubric.entries()) {
      const { met, reason } = await this.#ask(await rubricPrompt(shown, criterion), context);
      if (met) score += weight;
      const title = [...criterion].slice(0, TITLE_CHARACTERS).join("");
      metadata[`criterion_${index}_${title}`] = `${met ? "✓" : "✗"}: ${reason}`;
    }
    metadata.context = shown;
    metadata.final_score = `${score}`;
    metadata.pass_threshold = `> ${continueThreshold}`;
    return scoring(score, metadata, score > continueThreshold);
  }

  async #shown(transcript: Transcript, context: RunContext): Promise<string> {
    const parts: string[] = [];
    for (const render of this.#options.context) parts.push(await render(transcript, context));
    const text = parts.filter((part) => part !== "").join("\n\n");
    return withinBytes(withoutLoneSurrogates(text), this.#options.maxContextBytes);
  }

  async #ask(prompt: string, context: RunContext): Promise<Reply> {
    const { model, apiKey, temperature } = this.#options;
    context.signal.throwIfAborted();
    const answer = await context.askJudge({
      prompt,
      model,
      api_key: apiKey,
      temperature,
      max_output_tokens: MAX_OUTPUT_TOKENS,
    }, context.signal);
    const text = withoutLoneSurrogates(answer.text);
    if (text.trim() !== "") return readReply(text);
    throw new RubricJudgeError(
      `"${answer.model}" returned no text (finish reason: ${answer.finish_reason ?? "none"})`,
    );
  }
}
