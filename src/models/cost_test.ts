import { assertEquals } from "@std/assert";
import type { Usage } from "../protocol/turn.ts";
import { costOf } from "./cost.ts";

const MILLION = 1_000_000;
// Halves and quarters, which floating point has exactly.
const FLAT = { input: 4, output: 16, cache_read: 0.5, cache_write: 8 };
const LONG = { above_tokens: 8 * MILLION, input: 8, output: 32, cache_read: 1, cache_write: 16 };
const PRICE = { ...FLAT, long_input: LONG };

function usage(counts: Partial<Usage>): Usage {
  return {
    ...{ input_tokens: 0, output_tokens: 0, cache_read_tokens: null, cache_write_tokens: null },
    ...{ estimated: false, service_tier: null },
    ...counts,
  };
}

Deno.test("costOf() prices plain input, cached input and output apart", () => {
  const counts = {
    input_tokens: 8 * MILLION,
    cache_read_tokens: 4 * MILLION,
    cache_write_tokens: 3 * MILLION,
    output_tokens: MILLION / 2,
  };
  assertEquals(costOf(usage(counts), PRICE), 4 + 2 + 24 + 8);
  assertEquals(costOf(usage({ input_tokens: MILLION }), PRICE), 4);
  assertEquals(costOf(usage({}), PRICE), 0);
});

Deno.test("costOf() prices the whole response by its long input, cached or not", () => {
  const counts = { input_tokens: 10 * MILLION, cache_read_tokens: 10 * MILLION };
  const long = usage({ ...counts, output_tokens: MILLION });
  assertEquals(costOf(long, PRICE), 10 + 32);
  assertEquals(costOf(long, { ...FLAT, long_input: null }), 5 + 16);
});

Deno.test("costOf() takes no plain input for negative, whatever a provider reports", () => {
  assertEquals(costOf(usage({ input_tokens: 1, cache_read_tokens: 2 * MILLION }), PRICE), 1);
});
