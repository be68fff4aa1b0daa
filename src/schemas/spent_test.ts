import { assertEquals } from "@std/assert";
import { addSpent, emptySpent, type Spent } from "./spent.ts";

const plain: Spent = {
  input_tokens: 10,
  output_tokens: 2,
  cache_read_tokens: null,
  cache_write_tokens: null,
  cost: 0.5,
};

Deno.test("addSpent() adds nothing for what no provider told", () => {
  assertEquals(addSpent(emptySpent, plain), plain);
  const cached = { ...plain, cache_read_tokens: 4, cache_write_tokens: 1 };
  const sum = { input_tokens: 20, output_tokens: 4, cost: 1 };
  const told = { ...sum, cache_read_tokens: 4, cache_write_tokens: 1 };
  assertEquals([addSpent(plain, cached), addSpent(cached, plain)], [told, told]);
  assertEquals(addSpent(cached, cached), {
    ...sum,
    cache_read_tokens: 8,
    cache_write_tokens: 2,
  });
});

Deno.test("the cost of a sum is not known if a part's cost is not", () => {
  const unpriced = { ...plain, cost: null };
  assertEquals(addSpent(unpriced, plain).cost, null);
  assertEquals(addSpent(plain, unpriced).cost, null);
  assertEquals(addSpent(addSpent(emptySpent, unpriced), plain).cost, null);
});
