import { Transcript } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { LedgerError } from "../src/environment/garden/ledger.ts";
import { LedgerJudge } from "../src/environment/judges/ledger_judge.ts";
import { fakeContext } from "./fake_context.ts";

const HEADER = "basket,bed,variety,carrots,grams";
const ORIGINAL = `${HEADER}\n1,A1,Nantaise,34,2890\n2,A2,Chantenay,41,43460\n`;

const judge = new LedgerJudge({
  path: "/ledger.csv",
  original: "original",
  basket: "2",
  grams: 4346,
});

/** The verdict on a ledger; undefined: the student removed it. */
async function verdictOn(ledger: string | undefined) {
  const context = fakeContext(ledger === undefined ? {} : { "/ledger.csv": ledger });
  await context.store.write("original", ORIGINAL);
  return await judge.evaluate(new Transcript("test", []), context);
}

Deno.test("the corrected ledger passes", async () => {
  const verdict = await verdictOn(ORIGINAL.replace("43460", "4346"));
  assert.equal(verdict.score, 1);
  assert.equal(verdict.continue_task, true);
});

Deno.test("an uncorrected basket is named", async () => {
  const verdict = await verdictOn(ORIGINAL);
  assert.deepEqual(verdict.metadata, { wrong_baskets: "2" });
  assert.equal(verdict.score, 0);
});

Deno.test("a change elsewhere, a missing line and a missing file score 0", async () => {
  const corrected = ORIGINAL.replace("43460", "4346");
  assert.equal((await verdictOn(corrected.replace("2890", "1"))).score, 0);
  assert.equal((await verdictOn(`${HEADER}\n2,A2,Chantenay,41,4346\n`)).score, 0);
  assert.equal((await verdictOn("not a ledger")).score, 0);
  assert.equal((await verdictOn(undefined)).score, 0);
});

Deno.test("a broken judge is an error of the run, not of the student", async () => {
  const context = fakeContext({ "/ledger.csv": ORIGINAL });
  await context.store.write("original", "no ledger");
  await assert.rejects(
    async () => await judge.evaluate(new Transcript("test", []), context),
    LedgerError,
  );
});
