import { assertEquals, assertThrows } from "@std/assert";
import { JudgeAllowance, JudgeRefusal } from "./judge_allowance.ts";

Deno.test("JudgeAllowance refuses questions beyond its limit and goes on refusing", () => {
  const allowance = new JudgeAllowance(2);
  allowance.takeQuestion();
  allowance.takeQuestion();
  for (let round = 0; round < 2; round++) {
    assertThrows(() => allowance.takeQuestion(), JudgeRefusal, "had their 2 questions");
  }
  assertEquals(allowance.totals.questions, 2);
});

Deno.test("JudgeAllowance allows a thousand questions unless told otherwise", () => {
  const allowance = new JudgeAllowance();
  for (let asked = 0; asked < 1_000; asked++) allowance.takeQuestion();
  assertThrows(() => allowance.takeQuestion(), JudgeRefusal, "1000");
});

Deno.test("JudgeAllowance adds up what answers took, and tells unknown from nothing", () => {
  const allowance = new JudgeAllowance();
  const usage = { estimated: false, service_tier: null, input_tokens: 100, output_tokens: 5 };
  allowance.addUsage({ ...usage, cache_read_tokens: 80, cache_write_tokens: null });
  allowance.addUsage({ ...usage, cache_read_tokens: null, cache_write_tokens: 20 });
  allowance.addUsage(null);
  assertEquals(allowance.totals, {
    questions: 0,
    input_tokens: 200,
    output_tokens: 10,
    cache_read_tokens: 80,
    cache_write_tokens: 20,
    answers_without_usage: 1,
  });
});
