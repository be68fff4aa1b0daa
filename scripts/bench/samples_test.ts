import { assertEquals, assertRejects } from "@std/assert";
import { median, significant, spread, timesOf } from "./samples.ts";

Deno.test("median is the middle value, or the mean of the two in the middle", () => {
  assertEquals(median([10, 1, 2]), 2);
  assertEquals(median([4, 1, 3, 100]), 3.5);
  assertEquals(median([7]), 7);
  assertEquals(median([]), NaN);
});

Deno.test("timesOf takes turns, and does not count the first round", async () => {
  const calls: string[] = [];
  const body = (name: string) => () => Promise.resolve(calls.push(name));
  const { signal } = new AbortController();
  const times = await timesOf([body("a"), body("b")], { rounds: 2, signal });
  assertEquals(calls.join(""), "ababab");
  assertEquals(times.map((ofOne) => ofOne.length), [2, 2]);
});

Deno.test("timesOf stops before the next body when the signal fires", async () => {
  const controller = new AbortController();
  const body = () => Promise.resolve(controller.abort(new Error("enough")));
  const never = () => Promise.reject(new Error("called"));
  const options = { rounds: 2, signal: controller.signal };
  await assertRejects(() => timesOf([body, never], options), Error, "enough");
});

Deno.test("numbers for a reader have three digits", () => {
  assertEquals([0.30349, 26.26, 1999, 3].map(significant), ["0.303", "26.3", "2000", "3"]);
  assertEquals(spread([0.2, 2.3444, 1], "ms"), "0.2 to 2.34 ms in 3 runs");
});
