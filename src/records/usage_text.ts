/** Tokens, and what they cost, as users read them. */
export interface Spent {
  readonly input: number;
  readonly output: number;
  /** Part of `input`; null: not told. */
  readonly cacheRead: number | null;
  /** USD; null: no price is known. */
  readonly cost: number | null;
}

/** `1,234 tokens in (1,000 from the cache), 56 out, $0.0123`. */
export function usageText({ input, output, cacheRead, cost }: Spent): string {
  const cached = cacheRead ? ` (${count(cacheRead)} from the cache)` : "";
  const price = cost === null ? "" : `, $${cost.toFixed(cost < 1 ? 4 : 2)}`;
  return `${count(input)} tokens in${cached}, ${count(output)} out${price}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
