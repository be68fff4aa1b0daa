import { assertEquals } from "@std/assert";
import { inParallel } from "./in_parallel.ts";

Deno.test("inParallel() keeps to its limit, and one that fails disturbs no other", async () => {
  let running = 0;
  let most = 0;
  const settled = await inParallel([0, 1, 2, 3, 4, 5, 6], 3, async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    await Promise.resolve();
    running--;
    if (item === 1) throw new Error("one");
    return item * 10;
  });
  assertEquals(most, 3);
  assertEquals(
    settled.map((each) => each.status === "fulfilled" ? each.value : each.reason.message),
    [0, "one", 20, 30, 40, 50, 60],
  );
  assertEquals(await inParallel([], 2, () => Promise.resolve(1)), []);
});

Deno.test("inParallel() takes a body that throws at once for one that fails", async () => {
  const [first] = await inParallel([1], 1, () => {
    throw new Error("at once");
  });
  assertEquals(first?.status, "rejected");
});
