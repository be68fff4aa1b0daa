import { withinBytes, withoutLoneSurrogates } from "./rubric_text.ts";

/** A part of what a `RubricJudge` shows its model: it stands in a fence of its own. */
export interface RubricPart {
  /** What the part is, in a line: a file's path. The author's words, never the student's. */
  readonly title: string;
  /** The part itself, which the student may have written. */
  readonly text: string;
}

/**
 * Returns parts that take `maxBytes` of UTF-8 together at most. Short ones are kept whole and long
 * ones get equal shares of the rest, of which a note says what is left out: so no part can push
 * another out.
 */
export function withinShares(parts: readonly RubricPart[], maxBytes: number): RubricPart[] {
  const escaped = parts.map(({ title, text }) => ({
    title: withoutLoneSurrogates(title),
    text: withoutLoneSurrogates(text),
  }));
  const encoder = new TextEncoder();
  const sizes = escaped.map(({ text }) => encoder.encode(text).length);
  const share = shareOf(sizes, maxBytes);
  return escaped.map(({ title, text }) => ({ title, text: withinBytes(text, share) }));
}

/** Returns the most that one may take so that all of them together take no more than `total`. */
function shareOf(sizes: readonly number[], total: number): number {
  let left = total;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return total;
}

/** Returns parts as one text, for the metadata: each after a heading, if it has a title. */
export function joinedParts(parts: readonly RubricPart[]): string {
  return parts.map(({ title, text }) => title === "" ? text : `=== ${title} ===\n${text}`)
    .join("\n\n");
}
