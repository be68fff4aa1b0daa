import { Transcript } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { LedgerError, parseLedger } from "../src/environment/garden/ledger.ts";
import { judgeLedger, LedgerJudge } from "../src/environment/judges/ledger_judge.ts";
import { fakeContext } from "./fake_context.ts";

const HEADER = "basket,bed,variety,carrots,grams";
const ORIGINAL = `${HEADER}\n1,A1,Nantaise,34,2890\n2,A2,Chantenay,41,43460\n`;

const EXPECTED = parseLedger(ORIGINAL.replace("43460", "4346"));

const judge = new LedgerJudge({
  path: "/ledger.csv",
  original: "original",
  basket: "2",
  grams: 4346,
});

Deno.test("the corrected ledger passes", () => {
  const verdict = judgeLedger(ORIGINAL.replace("43460", "4346"), EXPECTED);
  assert.equal(verdict.score, 1);
  assert.equal(verdict.continue_task, true);
});

Deno.test("an uncorrected basket is named", () => {
  const verdict = judgeLedger(ORIGINAL, EXPECTED);
  assert.deepEqual(verdict.metadata, { wrong_baskets: "2" });
  assert.equal(verdict.score, 0);
});

Deno.test("a change elsewhere, a missing line and a text that is no ledger score 0", () => {
  const corrected = ORIGINAL.replace("43460", "4346");
  assert.equal(judgeLedger(corrected.replace("2890", "1"), EXPECTED).score, 0);
  assert.equal(judgeLedger(`${HEADER}\n2,A2,Chantenay,41,4346\n`, EXPECTED).score, 0);
  assert.equal(judgeLedger("not a ledger", EXPECTED).score, 0);
});

Deno.test("a ledger that the student removed scores 0", async () => {
  const context = fakeContext({});
  await context.store.write("original", ORIGINAL);
  const verdict = await judge.evaluate(new Transcript("test", []), context);
  assert.equal(verdict.score, 0);
});

Deno.test("a broken judge is an error of the run, not of the student", async () => {
  const context = fakeContext({});
  await context.store.write("original", "no ledger");
  await assert.rejects(
    async () => await judge.evaluate(new Transcript("test", []), context),
    LedgerError,
  );
});
