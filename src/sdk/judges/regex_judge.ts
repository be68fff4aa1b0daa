import { isGuardOn } from "../../protocol/guards.ts";
import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import { textOf, type Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { withoutReasoning } from "./reasoning_text.ts";
import { RegexSearch } from "./regex_search.ts";

/**
 * The text that a `RegexJudge` searches. `assistant`: all that the student said in the step that is
 * scored. `last`: its last message with a text in that step. `all`: the conversation from its
 * beginning, with system prompt, instructions and tool results.
 */
export type RegexPlace = "assistant" | "last" | "all";

/** Options of a `RegexJudge`. */
export interface RegexJudgeOptions {
  /** Milliseconds for each pattern; 10,000 if absent. */
  timeoutMs?: number;
  /**
   * Where the patterns must be found; `assistant` if absent. With `all` a student passes that
   * prints every possible answer with a tool, and so does a pattern that stands in the
   * instructions.
   */
  where?: RegexPlace;
}

const PLACES: readonly RegexPlace[] = ["assistant", "last", "all"];

/** The places in the words of the metadata. */
const PLACE_TEXTS: Readonly<Record<Exclude<RegexPlace, "all">, string>> = {
  assistant: "what the student said in this step",
  last: "the student's last message",
};

/**
 * Scores 1 and lets the run go on if every pattern is found in what the student said in the step,
 * else 0 with the patterns that are missing as metadata. What the student said is the text of its
 * messages, joined by blank lines: no reasoning, tool call, tool result or instruction, unless the
 * option `where` says so. Patterns may stand in different messages. Metadata tells of a pattern
 * that stands elsewhere in the conversation. A search that takes longer than the limit counts as
 * not found.
 */
export class RegexJudge extends Judge {
  /** The patterns that must all be found. */
  readonly expected: readonly RegExp[];
  /** Where they must be found. */
  readonly where: RegexPlace;
  readonly #timeoutMs: number;

  /**
   * Throws a `TypeError` for an empty list, for anything in it that is not a `RegExp`, and for an
   * unknown place.
   */
  constructor(expected: readonly RegExp[], options: RegexJudgeOptions = {}) {
    super();
    if (expected.length === 0) throw new TypeError("RegexJudge needs at least one pattern");
    for (const pattern of expected) {
      if (!(pattern instanceof RegExp)) {
        throw new TypeError(`RegexJudge takes regular expressions: got ${typeof pattern}`);
      }
    }
    this.expected = [...expected];
    this.where = options.where ?? "assistant";
    if (!PLACES.includes(this.where)) {
      throw new TypeError(`RegexJudge: where must be ${PLACES.join(", ")}: it is ${this.where}`);
    }
    this.#timeoutMs = options.timeoutMs ?? 10_000;
  }

  /** Searches what the student said for each pattern. */
  override async evaluate(transcript: Transcript, { signal }: RunContext): Promise<Scoring> {
    const where = isGuardOn("regex") ? this.where : "all";
    using search = new RegexSearch(textIn(transcript, where));
    using elsewhere = new RegexSearch(textIn(transcript, "all"));
    const limits = { timeoutMs: this.#timeoutMs, signal };
    const missing: Record<string, string> = {};
    for (const pattern of this.expected) {
      const found = await search.test(pattern, limits);
      if (found === true) continue;
      if (found === "timeout") {
        missing[pattern.source] = this.#tooLong;
      } else if (where !== "all" && await elsewhere.test(pattern, limits) === true) {
        missing[pattern.source] = `not found in ${PLACE_TEXTS[where]}: ` +
          'it stands elsewhere in the conversation, where only where: "all" looks';
      } else {
        missing[pattern.source] = "not found";
      }
    }
    return scoring(Object.keys(missing).length === 0 ? 1 : 0, missing);
  }

  get #tooLong(): string {
    return `not found: the search took longer than ${this.#timeoutMs / 1000} s`;
  }
}

/** Returns the texts of a place, joined by blank lines. */
function textIn(transcript: Transcript, where: RegexPlace): string {
  if (where === "all") {
    return transcript.messages.map(textOf).filter((text) => text !== "").join("\n\n");
  }
  const said = transcript.lastStep.messages
    .filter(({ role }) => role === "assistant")
    .map((message) => withoutReasoning(textOf(message)))
    .filter((text) => text.trim() !== "");
  return (where === "last" ? said.slice(-1) : said).join("\n\n");
}
