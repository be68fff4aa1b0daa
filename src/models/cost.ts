import type { Usage } from "../protocol/turn.ts";
import type { ModelPrice } from "./model_spec.ts";

/**
 * What a response cost in USD; input that was neither read from a cache nor written to one is
 * plain.
 */
export function costOf(usage: Usage, price: ModelPrice): number {
  const { long_input: long } = price;
  const paid = long !== null && usage.input_tokens > long.above_tokens ? long : price;
  const cacheRead = usage.cache_read_tokens ?? 0;
  const cacheWrite = usage.cache_write_tokens ?? 0;
  const plain = Math.max(0, usage.input_tokens - cacheRead - cacheWrite);
  const perMillion = plain * paid.input + cacheRead * paid.cache_read +
    cacheWrite * paid.cache_write + usage.output_tokens * paid.output;
  return perMillion / 1_000_000;
}
