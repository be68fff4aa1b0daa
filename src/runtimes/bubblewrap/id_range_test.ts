import { assert, assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { claimIdRange, FIRST_RANGE, RANGE_SIZE } from "./id_range.ts";

const block = (start: number, count: number) => ({ owner: "x", start, count });

Deno.test("claimIdRange() gives ranges within the span, never one twice", () => {
  const ranges = Array.from({ length: 200 }, () => claimIdRange([]));
  const starts = ranges.map(({ start }) => start);
  assertEquals(new Set(starts).size, 200);
  for (const start of starts) {
    assert(start >= FIRST_RANGE && start + RANGE_SIZE <= 2 ** 31 && start % RANGE_SIZE === 0);
  }
  for (const range of ranges) range[Symbol.dispose]();
});

Deno.test("claimIdRange() keeps off every id that is somebody's", () => {
  const last = 2 ** 31 - RANGE_SIZE;
  // All taken but the last one, each by a single id at an edge.
  const taken = [block(0, last - RANGE_SIZE + 1), block(last - 1, 1)];
  using range = claimIdRange(taken);
  assertEquals(range.start, last);
  assertThrows(() => claimIdRange(taken), KarotteError, "all are in use");
});
