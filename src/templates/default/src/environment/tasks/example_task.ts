import { createTask, ExecutableJudge, RegexJudge } from "@karotte/cli/sdk";
import { parseLedger } from "../garden/ledger.ts";
import { LedgerJudge } from "../judges/ledger_judge.ts";
import { ROOT_DATA, SHARED_DATA, STUDENT_DATA, WORK_DIRECTORY } from "../paths.ts";
import { systemPrompt } from "../system_prompt.ts";

const LEDGER = `${STUDENT_DATA}/harvest.csv`;
const LABELS = `${SHARED_DATA}/labels.txt`;
const TOTALS = `${WORK_DIRECTORY}/totals.csv`;
/** The ledger as it was before the student came, in the run's protected store. */
const ORIGINAL_LEDGER = "original_ledger";

/**
 * A task is a list of steps. The student, a model with the tools below, gets the instructions of
 * the first step and works until it has no more to say; then the step's judge looks at what came
 * of it. If the judge lets the run go on, the next step follows in the same conversation.
 *
 * All code of this folder runs as root in the sandbox and is hidden from the student, who runs as
 * an ordinary user.
 */
export const ExampleTask = createTask({
  id: "example_task",
  systemPrompt: (config) =>
    systemPrompt(config, "You look after the books of a vegetable garden. Work carefully."),

  // Built-in tools, and files of `tools/` by their name.
  tools: ["bash", "view_lines_in_file", "replace_in_file", "summarize_column"],
  configureTools: () => ({ summarize_column: { max_bytes: 100_000 } }),

  // Runs once before the first step. What it returns is recorded in the transcript.
  async preHook({ student, store }) {
    const ledger = new TextDecoder().decode(await student.readFile(LEDGER));
    await store.write(ORIGINAL_LEDGER, ledger);
    return { baskets: parseLedger(ledger).length };
  },

  steps: [
    {
      instructions: `${LEDGER} lists the carrot harvest, one basket a line.

Add up the carrots of each variety and write them to ${TOTALS}, with the header line
"variety,carrots" and one line for each variety.`,
      // Copied before the judge comes, with the student's rights; judges read the copies.
      submissionPaths: [TOTALS],
      submissionLimits: { maxFileBytes: 1_000_000 },
      // A scoring script is a program of its own: see scoring/check_totals.ts. It gives a part of
      // the score for a part of the varieties; the run goes on only if all of them are right.
      judge: new ExecutableJudge({
        script: "scoring/check_totals.ts",
        args: [TOTALS, `${ROOT_DATA}/expected_totals.csv`],
        continueThreshold: 1,
      }),
    },
    {
      instructions: `One basket in ${LEDGER} is far too heavy: somebody wrote a wrong weight.

Correct the weight in that file; the label of each basket says what it really weighs, see
${LABELS}. Change nothing else. Then tell me where it came from, in these words:
"The wrong basket came from bed X."`,
      submissionPaths: [LEDGER],
      submissionLimits: { maxFileBytes: 1_000_000 },
      // RegexJudge searches what the student says in this step, not what tools print. A student may
      // still say every answer, so `and` asks a second judge if the first passes.
      judge: new RegexJudge([/wrong basket came from bed C2\b/i])
        .and(
          new LedgerJudge({ path: LEDGER, original: ORIGINAL_LEDGER, basket: "17", grams: 1836 }),
        ),
    },
  ],
});
