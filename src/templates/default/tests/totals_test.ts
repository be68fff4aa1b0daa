import assert from "node:assert/strict";
import { judgeTotals } from "../src/environment/garden/totals.ts";

const EXPECTED = "variety,carrots\nChantenay,240\nPurple Haze,182\n";

Deno.test("right totals score 1, in any order and without a final newline", () => {
  const verdict = judgeTotals("variety,carrots\nPurple Haze,182\nChantenay,240", EXPECTED);
  assert.deepEqual(verdict, { score: 1, metadata: {} });
});

Deno.test("the score is the share of varieties that are right", () => {
  const verdict = judgeTotals("variety,carrots\nPurple Haze,182\nChantenay,24", EXPECTED);
  assert.deepEqual(verdict, { score: 0.5, metadata: { wrong_varieties: "Chantenay" } });
});

Deno.test("an invented variety and an empty file score 0", () => {
  assert.equal(judgeTotals("variety,carrots\nParsnip,1\n", EXPECTED).score, 0);
  assert.equal(judgeTotals("", EXPECTED).score, 0);
});
