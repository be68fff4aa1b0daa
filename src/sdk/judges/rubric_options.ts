import { answers, type RubricContext } from "./rubric_context.ts";
import { isKeyReference, KeyReferenceError } from "./rubric_key.ts";
import { withoutLoneSurrogates } from "./rubric_text.ts";

/** What is asked, and what it is worth. */
export interface RubricCriterion {
  /** Something that is met or not: "The summary names all three causes." */
  criterion: string;
  /** A number, or its text; added to the score if the criterion is met. May be negative. */
  weight: number | string;
}

/** What a `RubricJudge` asks, of whom, and what it shows. */
export interface RubricJudgeOptions {
  /** At least one. */
  rubric: readonly RubricCriterion[];
  /**
   * `provider/name`: the run's own model, its `rubric_judge_model`, or one that the environment's
   * `deno.json` lists: `"karotte": { "judge_models": [...] }`. Absent: the run config's
   * `rubric_judge_model`, else the run's own model.
   */
  model?: string;
  /**
   * `$NAME` of a variable on the host that holds the key: the provider's own, one that the run
   * config has for that provider, or one that `deno.json` names:
   * `"karotte": { "judge_keys": { "$ACME_API_KEY": "anthropic" } }`. Absent: the key that the run
   * config has for judges, else the provider's own variable.
   */
  apiKey?: string;
  /** What the model is shown, each part in a fence of its own; the submitted answers if absent. */
  context?: readonly RubricContext[];
  /**
   * Bytes of UTF-8 that the model is shown, 1 MiB at most; 256 KiB if absent. Of more than that the
   * longest parts lose their middles.
   */
  maxContextBytes?: number;
  /** The run goes on above this score; 0 if absent. */
  continueThreshold?: number;
  /** From 0 to 2; 0.3 if absent. Left out for models that take none. */
  temperature?: number;
}

/** The same, checked and with its defaults. */
export interface CheckedRubric {
  readonly rubric: readonly { readonly criterion: string; readonly weight: number }[];
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
  readonly context: readonly RubricContext[];
  readonly maxContextBytes: number;
  readonly continueThreshold: number;
  readonly temperature: number;
}

/** Escaped for the channel a text may be six times as long, and a line there is 8 MiB at most. */
const MOST_CONTEXT_BYTES = 1024 * 1024;

/** Throws a `TypeError` that names the option that is wrong. */
export function checkedRubric(options: RubricJudgeOptions): CheckedRubric {
  const { rubric, model, apiKey, context = [answers()] } = options;
  if (apiKey !== undefined && !isKeyReference(apiKey)) throw new KeyReferenceError();
  if (model !== undefined && (typeof model !== "string" || model === "")) {
    throw new TypeError("RubricJudge: model must be an id like anthropic/claude-opus-5");
  }
  if (rubric.length === 0) throw new TypeError("RubricJudge needs at least one criterion");
  return {
    rubric: rubric.map(checkedCriterion),
    model,
    apiKey,
    context,
    maxContextBytes: within("maxContextBytes", options.maxContextBytes ?? 256 * 1024, {
      from: 1,
      to: MOST_CONTEXT_BYTES,
    }),
    continueThreshold: within("continueThreshold", options.continueThreshold ?? 0, {
      from: -Infinity,
      to: Infinity,
    }),
    temperature: within("temperature", options.temperature ?? 0.3, { from: 0, to: 2 }),
  };
}

function checkedCriterion({ criterion, weight }: RubricCriterion, index: number) {
  if (typeof criterion !== "string" || criterion.trim() === "") {
    throw new TypeError(`RubricJudge: criterion ${index} has no text`);
  }
  const number = typeof weight === "string" && weight.trim() !== "" ? Number(weight) : weight;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    const found = JSON.stringify(weight);
    throw new TypeError(`RubricJudge: the weight of criterion ${index} is no number: ${found}`);
  }
  return { criterion: withoutLoneSurrogates(criterion), weight: number };
}

function within(name: string, value: unknown, { from, to }: { from: number; to: number }): number {
  if (typeof value === "number" && value >= from && value <= to) return value;
  const range = Number.isFinite(to) ? ` from ${from} to ${to}` : "";
  throw new TypeError(`RubricJudge: ${name} must be a number${range}: it is ${String(value)}`);
}
