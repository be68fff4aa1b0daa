import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { type CheckedRubric, checkedRubric, type RubricJudgeOptions } from "./rubric_options.ts";
import { joinedParts, type RubricPart, withinShares } from "./rubric_parts.ts";
import { RubricQuestions } from "./rubric_questions.ts";

/** Characters of a criterion that its name in the metadata takes. */
const TITLE_CHARACTERS = 30;

/**
 * Lets a model decide, which is asked for each criterion in turn whether it is met. The score is
 * the sum of the weights of those that are, and metadata says why. What the student wrote is shown
 * to the model as data, each part of it in a fence that it can't close.
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
   * `pass_threshold` `> threshold`. With nothing to show the score is 0. An answer that is neither
   * yes nor no is asked for once more; if there is none then, the criterion counts against the
   * student, who may have brought that about, and a warning says so: it is not met, or met where
   * its weight is negative. Rejects if there is no model to ask, if the model can't be had, and
   * with a `RubricJudgeError` if it has no answer to a question without the student's work either.
   */
  override async evaluate(transcript: Transcript, context: RunContext): Promise<Scoring> {
    const { rubric, continueThreshold } = this.#options;
    const parts = await this.#shown(transcript, context);
    if (parts.length === 0) return scoring(0, { error: "there is nothing to judge" }, false);
    const questions = new RubricQuestions(this.#options, context);
    const metadata: Record<string, string> = {};
    let score = 0;
    for (const [index, { criterion, weight }] of rubric.entries()) {
      const found = await questions.ask(parts, criterion);
      const met = found.met ?? weight < 0;
      if (met) score += weight;
      const name = `criterion_${index}_${[...criterion].slice(0, TITLE_CHARACTERS).join("")}`;
      if (found.met === undefined) {
        metadata[name] = `${mark(met)}: no verdict: ${found.reason}`;
        await context.warn(noVerdict(name, { ...found, met }));
      } else {
        metadata[name] = `${mark(met)}: ${found.reason}`;
      }
    }
    metadata.context = joinedParts(parts);
    metadata.final_score = `${score}`;
    metadata.pass_threshold = `> ${continueThreshold}`;
    return scoring(score, metadata, score > continueThreshold);
  }

  async #shown(transcript: Transcript, context: RunContext): Promise<RubricPart[]> {
    const parts: RubricPart[] = [];
    for (const render of this.#options.context) {
      const shown = await render(transcript, context);
      if (typeof shown !== "string") parts.push(...shown);
      else if (shown !== "") parts.push({ title: "", text: shown });
    }
    return withinShares(parts, this.#options.maxContextBytes);
  }
}

function mark(met: boolean): string {
  return met ? "✓" : "✗";
}

function noVerdict(
  name: string,
  { model, reason, met }: { model: string | undefined; reason: string; met: boolean },
): string {
  const whose = model === undefined ? "the model" : `"${model}"`;
  const counts = met ? "met, for its weight is negative" : "not met";
  return `RubricJudge: ${whose} gave no verdict on ${JSON.stringify(name)}: ${reason}. ` +
    `It can answer a control question, so the student may have brought this about: ` +
    `the criterion counts as ${counts}`;
}
