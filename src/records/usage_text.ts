import type { Spent } from "../schemas/spent.ts";

/** Returns for example `1,234 tokens in (1,000 from the cache), 56 out, $0.0123`. */
export function usageText(spent: Spent): string {
  const { input_tokens, output_tokens, cache_read_tokens, cost } = spent;
  const cached = cache_read_tokens ? ` (${count(cache_read_tokens)} from the cache)` : "";
  const price = cost === null ? "" : `, $${cost.toFixed(cost < 1 ? 4 : 2)}`;
  return `${count(input_tokens)} tokens in${cached}, ${count(output_tokens)} out${price}`;
}

/** Tells whether there is anything to say of an amount: providers may tell of no tokens. */
export function hasTokens({ input_tokens, output_tokens }: Spent): boolean {
  return input_tokens > 0 || output_tokens > 0;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
