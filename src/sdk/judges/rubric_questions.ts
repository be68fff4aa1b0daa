import { ModelFailure } from "../../protocol/model_failure.ts";
import type { JudgeAnswer } from "../../protocol/turn.ts";
import type { RunContext } from "../run_context.ts";
import { RubricJudgeError } from "./rubric_error.ts";
import type { CheckedRubric } from "./rubric_options.ts";
import type { RubricPart } from "./rubric_parts.ts";
import { type ReplyForm, rubricPrompt } from "./rubric_prompt.ts";
import { readReply, type Reply } from "./rubric_reply.ts";
import { withoutLoneSurrogates } from "./rubric_text.ts";

/** Room for reasoning models to think before they answer, in tokens. */
const MAX_OUTPUT_TOKENS: Readonly<Record<ReplyForm, number>> = { reasoned: 32_000, brief: 8_000 };

/** A question that any model answers by YES, with not a word of the student's in it. */
const CONTROL = {
  parts: [{ title: "", text: "The garden has three beds: carrots, leeks and beans." }],
  criterion: "The data says how many beds the garden has.",
};

/** A question brought no verdict. */
export interface NoReply {
  readonly met: undefined;
  readonly model: string | undefined;
  readonly reason: string;
  /** What the call failed with; undefined: it brought an answer. */
  readonly failure?: ModelFailure;
}

/** The questions of one evaluation, to one model. */
export class RubricQuestions {
  readonly #options: CheckedRubric;
  readonly #context: RunContext;
  #canJudge = false;

  constructor(options: CheckedRubric, context: RunContext) {
    this.#options = options;
    this.#context = context;
  }

  /**
   * Asks whether a criterion is met, and once more, shorter, where the answer is neither yes nor
   * no. Returns the reason if there is no verdict although the model can judge: what it was shown
   * may be to blame. Throws a `RubricJudgeError` if it can't, and what the call throws unless what
   * was shown may have brought that about.
   */
  async ask(parts: readonly RubricPart[], criterion: string): Promise<Reply | NoReply> {
    let found = await this.#question(parts, { criterion, form: "reasoned" });
    if (found.met === undefined && found.failure === undefined) {
      found = await this.#question(parts, { criterion, form: "brief", repeated: true });
    }
    if (found.met === undefined) await this.#checkModel(found);
    return found;
  }

  /** Asks a control question, once: a model that fails there too can't judge at all. */
  async #checkModel({ model, reason, failure }: NoReply): Promise<void> {
    if (this.#canJudge) return;
    const { parts, criterion } = CONTROL;
    const found = await this.#question(parts, { criterion, form: "brief", repeated: true });
    if (found.met) {
      this.#canJudge = true;
      return;
    }
    // Nothing that was shown has to do with it.
    if (failure !== undefined) throw failure;
    if (found.met === undefined && found.failure !== undefined) throw found.failure;
    const control = found.met === undefined ? found.reason : "it answered NO";
    throw new RubricJudgeError(
      `"${model}" can't judge: ${reason}; to a control question with the answer YES ${control}`,
    );
  }

  async #question(
    parts: readonly RubricPart[],
    { criterion, form, repeated = false }: {
      readonly criterion: string;
      readonly form: ReplyForm;
      /** An unclear answer is the reason. */
      readonly repeated?: boolean;
    },
  ): Promise<Reply | NoReply> {
    const prompt = await rubricPrompt(parts, { criterion, form });
    const { model, apiKey, temperature } = this.#options;
    const { signal } = this.#context;
    signal.throwIfAborted();
    let answer: JudgeAnswer;
    try {
      answer = await this.#context.askJudge({
        prompt,
        criterion,
        model,
        api_key: apiKey,
        temperature,
        max_output_tokens: MAX_OUTPUT_TOKENS[form],
        ...(repeated ? { repeated } : {}),
      }, signal);
    } catch (error) {
      if (!(error instanceof ModelFailure) || !isOfContent(error)) throw error;
      return { met: undefined, model, reason: error.message, failure: error };
    }
    const text = withoutLoneSurrogates(answer.text);
    const noReply = { met: undefined, model: answer.model, reason: whyNoReply(answer) };
    return readReply(text, prompt) ?? noReply;
  }
}

/** Tells whether a call may have failed for what it was about: its length, a filter of content. */
function isOfContent({ kind }: ModelFailure): boolean {
  return kind === "context_length" || kind === "request";
}

function whyNoReply({ text, finish_reason }: JudgeAnswer): string {
  const said = text.trim() === "" ? "it returned no text" : "its answer was neither YES nor NO";
  return `${said} (finish reason: ${finish_reason ?? "none"})`;
}
