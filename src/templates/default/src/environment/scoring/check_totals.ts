/**
 * Scores the totals of step 1. Arguments: the submitted file, the right answer and, always last,
 * the file for the verdict. It runs as a program of its own, as root, so it can read the answer; of
 * what the student wrote it reads the harness's copy in the folder KAROTTE_SUBMISSION.
 * Try it by hand: `KAROTTE_SUBMISSION=. deno run -RWE src/environment/scoring/check_totals.ts
 * /mine.csv root_data/expected_totals.csv verdict.json`
 */
import { judgeTotals, type Verdict } from "../garden/totals.ts";

const [submission, answer, verdictFile] = Deno.args;
const copies = Deno.env.get("KAROTTE_SUBMISSION");
if (submission === undefined || answer === undefined || verdictFile === undefined) {
  throw new Error("Usage: check_totals.ts SUBMISSION ANSWER VERDICT_FILE");
}
// Not the file itself, ever: it may be a link to the answer.
if (copies === undefined) throw new Error("KAROTTE_SUBMISSION is not set");
const verdict = await judge(copies + submission, answer);
await Deno.writeTextFile(verdictFile, JSON.stringify(verdict));

async function judge(submission: string, answer: string): Promise<Verdict> {
  const expected = await Deno.readTextFile(answer);
  try {
    return judgeTotals(await Deno.readTextFile(submission), expected);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { score: 0, metadata: { reason: "the student wrote no such file" } };
  }
}
