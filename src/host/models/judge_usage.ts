import { wellFormed } from "../../base/well_formed.ts";
import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import { costOf } from "../../models/cost.ts";
import type { JudgeQuestion, Usage } from "../../protocol/turn.ts";
import type { Redactor } from "../../records/redactor.ts";
import { addSpent, emptySpent, type Spent } from "../../schemas/spent.ts";
import type { JudgeUsageEvent } from "../../schemas/transcript.ts";
import { withinBytes } from "../../sdk/judges/rubric_text.ts";

/**
 * Bytes of UTF-8 that events keep of a question and of a criterion: its instructions and a view.
 */
const MOST_QUESTION_BYTES = 4 * 1024;
/** Bytes of UTF-8 that events keep of an answer: far more than a verdict and its reasons take. */
const MOST_ANSWER_BYTES = 16 * 1024;

export interface AskedQuestion {
  /** The id of the model that was asked. */
  readonly model: string;
  readonly question: JudgeQuestion;
  /** Null: there was none. */
  readonly answer: string | null;
  /** What each request took; null: the provider did not tell. */
  readonly taken: readonly (Usage | null)[];
}

/** Makes the event of a question. Secrets are taken out before texts are cut: half of one stays. */
export async function judgeUsageEvent(
  { model, question, answer, taken }: AskedQuestion,
  redactor: Redactor,
): Promise<Omit<JudgeUsageEvent, "timestamp">> {
  const { criterion } = question;
  const cut = (text: string, maxBytes: number) => withinBytes(redactor.text(text), maxBytes);
  return wellFormed({
    type: "judge_usage",
    metadata: {
      model,
      criterion: criterion === undefined ? null : cut(criterion, MOST_QUESTION_BYTES),
      question_sha256: await sha256(question.prompt),
      question: cut(question.prompt, MOST_QUESTION_BYTES),
      answer: answer === null ? null : cut(answer, MOST_ANSWER_BYTES),
      ...amounts(model, taken),
    },
  });
}

/** Returns what requests took together: what nobody told is null. */
function amounts(model: string, taken: AskedQuestion["taken"]) {
  const told = taken.filter((usage) => usage !== null);
  const { input_tokens, output_tokens, ...rest } = told
    .map((usage) => priced(model, usage)).reduce(addSpent, emptySpent);
  const isTold = told.length > 0;
  return {
    input_tokens: isTold ? input_tokens : null,
    output_tokens: isTold ? output_tokens : null,
    cache_read_tokens: rest.cache_read_tokens,
    cache_write_tokens: rest.cache_write_tokens,
    cost: isTold && told.length === taken.length ? rest.cost : null,
  };
}

function priced(model: string, usage: Usage): Spent {
  const { price } = modelSpec(model);
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
  const cost = price === null ? null : costOf(usage, price);
  return { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
