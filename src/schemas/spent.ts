/** Tokens that model calls took, and their price. */
export interface Spent {
  /** All tokens that were read, those from a cache and those written to one included. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Part of `input_tokens`; null: no provider told it. */
  readonly cache_read_tokens: number | null;
  /** Part of `input_tokens`; null: no provider told it. */
  readonly cache_write_tokens: number | null;
  /** USD; null: not known for all of it. */
  readonly cost: number | null;
}

/** The sum of no calls: they cost nothing. */
export const emptySpent: Spent = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: null,
  cache_write_tokens: null,
  cost: 0,
};

/** Adds two amounts. The sum's cost is known only if both costs are. */
export function addSpent(one: Spent, other: Spent): Spent {
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_read_tokens: sumOfTold(one.cache_read_tokens, other.cache_read_tokens),
    cache_write_tokens: sumOfTold(one.cache_write_tokens, other.cache_write_tokens),
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  };
}

function sumOfTold(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}
