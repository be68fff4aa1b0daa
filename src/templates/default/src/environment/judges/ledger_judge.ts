import { Judge, type RunContext, type Scoring, scoring, type Transcript } from "@karotte/cli/sdk";
import { type Basket, LedgerError, parseLedger } from "../garden/ledger.ts";

export interface LedgerJudgeOptions {
  /** Where the student's ledger lies: one of the step's `submissionPaths`. */
  readonly path: string;
  /** The name under which the task kept the ledger as it was before the student came. */
  readonly original: string;
  /** The one basket to correct, and its true weight. */
  readonly basket: string;
  readonly grams: number;
}

/** Passes if one basket's weight was corrected and everything else in the ledger was left alone. */
export class LedgerJudge extends Judge {
  readonly #options: LedgerJudgeOptions;

  constructor(options: LedgerJudgeOptions) {
    super();
    this.#options = options;
  }

  override async evaluate(_transcript: Transcript, context: RunContext): Promise<Scoring> {
    const { path, original, basket, grams } = this.#options;
    const expected = parseLedger(await context.store.readText(original))
      .map((entry) => entry.basket === basket ? { ...entry, grams } : entry);
    // The harness's copy: judges are root, and at the path itself there may be a link by now.
    const copy = context.submission(path);
    if (copy === undefined) return scoring(0, { reason: "the student left no ledger" });
    return judgeLedger(await Deno.readTextFile(copy), expected);
  }
}

/** The verdict on the text of a ledger. */
export function judgeLedger(submitted: string, expected: readonly Basket[]): Scoring {
  try {
    const wrong = differingBaskets(parseLedger(submitted), expected);
    return wrong.length === 0 ? scoring(1) : scoring(0, { wrong_baskets: wrong.join(", ") });
  } catch (error) {
    // What the student left there is no ledger; any other error is a fault of this judge.
    if (error instanceof LedgerError) return scoring(0, { reason: error.message });
    throw error;
  }
}

function differingBaskets(found: readonly Basket[], expected: readonly Basket[]): string[] {
  const lines = new Map(found.map((entry) => [entry.basket, JSON.stringify(entry)]));
  const wrong = expected.filter((entry) => lines.get(entry.basket) !== JSON.stringify(entry));
  const names = wrong.map((entry) => entry.basket);
  return found.length === expected.length ? names : [...names, "not the same number of baskets"];
}
