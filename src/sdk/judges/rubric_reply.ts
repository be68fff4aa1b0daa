import { afterReasoning, beginsWithReasoning, endsReasoning } from "./reasoning_text.ts";

/** A model's verdict on one criterion. */
export interface Reply {
  readonly met: boolean;
  readonly reason: string;
}

/** Line breaks of all kinds. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** Markdown and quotation marks around a word: emphasis, code, headings, quotes, lists. */
const MARKS = "[\\s*_`~#>\"'“”‘’«»|\\\\-]*";
const VERDICT = new RegExp(
  `^${MARKS}(YES|NO)(?:${MARKS}$|${MARKS}[.,:;!)](.*)$|${MARKS}\\s[–—-]\\s(.*)$)`,
  "i",
);
/** Marks alone, or the start of a block of code. */
const NO_WORDS = new RegExp(`^${MARKS}(?:\`{3}\\w*)?$`);
const CONTRADICTIONS = { yes: /\bno\b/i, no: /\byes\b/i };

/**
 * Reads YES or NO off the first line of an answer, once the reasoning before it and Markdown are
 * taken away: the word alone, or with a reason after a punctuation mark. Undefined if it is
 * neither, if the line has both words, and where the end of the reasoning may be a quotation of the
 * question and the answer is not the same for each such end.
 */
export function readReply(answer: string, question: string): Reply | undefined {
  const [first, ...others] = readings(answer, question).map(readVerdict);
  return others.every((other) => other?.met === first?.met) ? first : undefined;
}

/** Returns what may be left of an answer without its reasoning. */
function readings(answer: string, question: string): string[] {
  const ends = afterReasoning(answer);
  const unopened = beginsWithReasoning(answer) ? [] : [answer];
  // The model can't have quoted what it was not shown, so the last end is one.
  if (!endsReasoning(question)) return ends.length > 0 ? ends.slice(-1) : unopened;
  return [...unopened, ...ends];
}

function readVerdict(text: string): Reply | undefined {
  const lines = text.split(LINE_BREAK);
  const index = lines.findIndex((line) => !NO_WORDS.test(line));
  const [, word, afterMark, afterDash] = VERDICT.exec(lines[index] ?? "") ?? [];
  if (word === undefined) return undefined;
  const beside = (afterMark ?? afterDash ?? "").replace(/^[\s*_]+/, "").trim();
  const met = word.toLowerCase() === "yes";
  if (CONTRADICTIONS[met ? "yes" : "no"].test(beside)) return undefined;
  const below = lines.slice(index + 1).join("\n").trim();
  return { met, reason: below || beside || "no reason was given" };
}
