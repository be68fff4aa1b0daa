import { createHash } from "node:crypto";
import { WHOLE } from "./whole.ts";

/** Decides what is in samples: the same seed, the same samples. */
const SEED = Deno.env.get("KAROTTE_TEST_SEED") ?? "1";

/** So many of the items, in their order; all of them where all tests run. */
export function sample<Item>(items: readonly Item[], count: number): Item[] {
  if (WHOLE) return [...items];
  const ranked = items.map((_, index) => ({
    index,
    rank: createHash("sha256").update(`${SEED}/${index}`).digest("hex"),
  })).sort((one, other) => one.rank < other.rank ? -1 : 1);
  const chosen = new Set(ranked.slice(0, count).map(({ index }) => index));
  return items.filter((_, index) => chosen.has(index));
}
