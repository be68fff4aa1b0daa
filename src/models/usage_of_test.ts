import { assertEquals } from "@std/assert";
import { usageOf } from "./usage_of.ts";

const told = (raw: Record<string, number | Record<string, number>>) => {
  const usage = usageOf({
    inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
    raw,
  }, null);
  return [usage?.cache_read_tokens, usage?.cache_write_tokens];
};

Deno.test("caches are told of in many dialects, and unknown is not 0", () => {
  assertEquals(told({}), [null, null]);
  assertEquals(told({ prompt_tokens_details: { cached_tokens: 0 } }), [0, null]);
  assertEquals(told({ prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 2 } }), [
    8,
    2,
  ]);
  assertEquals(told({ input_tokens_details: { cached_tokens: 8 } }), [8, null]);
  assertEquals(told({ cache_read_input_tokens: 8, cache_creation_input_tokens: 3 }), [8, 3]);
  assertEquals(told({ prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 92 }), [8, null]);
  assertEquals(told({ cachedContentTokenCount: 8 }), [8, null]);
});

Deno.test("tokens are whole numbers from 0, whatever a server says", () => {
  const usage = usageOf({
    inputTokens: { total: 10.6, noCache: 10.6, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: -1, text: -1, reasoning: 0 },
    raw: { cached_tokens: 1e30 },
  }, null);
  assertEquals([usage?.input_tokens, usage?.output_tokens], [11, 0]);
  assertEquals(usage?.cache_read_tokens, Number.MAX_SAFE_INTEGER);
});

Deno.test("a package's zeros for a provider that says nothing are no usage", () => {
  const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  const out = { total: 0, text: 0, reasoning: 0 };
  assertEquals(usageOf({ inputTokens: none, outputTokens: out }, null), null);
});
