/** What a scoring script writes to its verdict file. */
export interface Verdict {
  /** 0 to 1. */
  readonly score: number;
  /** Recorded beside the score. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Compares a submitted `variety,carrots` table with the right one: the score is the share of
 * varieties that are right. Lines may come in any order; a variety that does not exist costs all.
 */
export function judgeTotals(submitted: string, expected: string): Verdict {
  const right = parseTotals(expected);
  const given = parseTotals(submitted);
  const unknown = [...given.keys()].filter((variety) => !right.has(variety));
  if (unknown.length > 0) {
    return { score: 0, metadata: { unknown_varieties: unknown.join(", ").slice(0, 500) } };
  }
  const wrong = [...right].filter(([variety, carrots]) => given.get(variety) !== carrots);
  const score = (right.size - wrong.length) / right.size;
  const names = wrong.map(([variety]) => variety).join(", ");
  return { score, metadata: names === "" ? {} : { wrong_varieties: names } };
}

function parseTotals(text: string): Map<string, number> {
  const [, ...lines] = text.trim().split(/\r?\n/);
  return new Map(lines.map((line) => {
    const comma = line.lastIndexOf(",");
    return [line.slice(0, comma).trim(), Number(line.slice(comma + 1))];
  }));
}
