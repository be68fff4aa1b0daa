import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import { textOf, type Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { RegexSearch } from "./regex_search.ts";

/** Options of a `RegexJudge`. */
export interface RegexJudgeOptions {
  /** Milliseconds for each pattern; 10,000 if absent. */
  timeoutMs?: number;
}

/**
 * Scores 1 and lets the run go on if every pattern is found in the conversation, else 0 with the
 * patterns that are missing as metadata. The conversation is the text of all messages joined by
 * blank lines: system prompt, instructions and tool results included, so a pattern that stands in
 * the instructions, or in a file that the student printed, is found. A search that takes longer
 * than the limit counts as not found.
 */
export class RegexJudge extends Judge {
  /** The patterns that must all be found. */
  readonly expected: readonly RegExp[];
  readonly #timeoutMs: number;

  /** Throws a `TypeError` for an empty list and for anything that is not a `RegExp`. */
  constructor(expected: readonly RegExp[], options: RegexJudgeOptions = {}) {
    super();
    if (expected.length === 0) throw new TypeError("RegexJudge needs at least one pattern");
    for (const pattern of expected) {
      if (!(pattern instanceof RegExp)) {
        throw new TypeError(`RegexJudge takes regular expressions: got ${typeof pattern}`);
      }
    }
    this.expected = [...expected];
    this.#timeoutMs = options.timeoutMs ?? 10_000;
  }

  /** Searches the conversation for each pattern. */
  override async evaluate(transcript: Transcript, { signal }: RunContext): Promise<Scoring> {
    const texts = transcript.messages.map(textOf).filter((text) => text !== "");
    using search = new RegexSearch(texts.join("\n\n"));
    const missing: Record<string, string> = {};
    for (const pattern of this.expected) {
      const found = await search.test(pattern, { timeoutMs: this.#timeoutMs, signal });
      if (found === true) continue;
      missing[pattern.source] = found === "timeout"
        ? `not found: the search took longer than ${this.#timeoutMs / 1000} s`
        : "not found";
    }
    return scoring(Object.keys(missing).length === 0 ? 1 : 0, missing);
  }
}
