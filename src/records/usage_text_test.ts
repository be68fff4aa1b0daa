import { assertEquals } from "@std/assert";
import { emptySpent } from "../schemas/spent.ts";
import { hasTokens, usageText } from "./usage_text.ts";

Deno.test("usageText() leaves out what is not known", () => {
  const spent = {
    input_tokens: 1234,
    output_tokens: 56,
    cache_read_tokens: null,
    cache_write_tokens: null,
    cost: null,
  };
  assertEquals(usageText(spent), "1,234 tokens in, 56 out");
  assertEquals(
    usageText({ ...spent, cache_read_tokens: 1000, cost: 0.01234 }),
    "1,234 tokens in (1,000 from the cache), 56 out, $0.0123",
  );
  assertEquals(
    usageText({ ...spent, cache_read_tokens: 0, cost: 12.345 }),
    "1,234 tokens in, 56 out, $12.35",
  );
});

Deno.test("faults 2.6: hasTokens() tells an amount of nothing", () => {
  assertEquals(hasTokens(emptySpent), false);
  assertEquals(hasTokens({ ...emptySpent, input_tokens: 1 }), true);
  assertEquals(hasTokens({ ...emptySpent, output_tokens: 1 }), true);
});
