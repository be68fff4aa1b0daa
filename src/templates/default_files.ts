// Generated from src/templates/default/ by: sh scripts/deno run -RW scripts/generate_templates.ts
// deno-fmt-ignore-file
// deno-lint-ignore-file

export const DEFAULT_FILES: Readonly<Record<string, string>> = {
  ".dockerignore": `# What COPY and ADD in the Containerfile don't see: answers, tasks and judges, which the student must
# not find in its image, and results. Karotte puts its own files where they belong by itself.
root_data
intermediate_data
src/environment
tests
out
run_config*.json
.git
node_modules
`,
  ".gitignore.njk": `# Transcripts and artifacts of runs.
/out/
# Config files of your own; they may name keys.
/run_config*.json
node_modules/
`,
  "AGENTS.md": `# Notes for coding agents

This is a Karotte environment: a Deno project with tasks on which LLM agents ("students") are run
and scored. \`README.md\` says what is where; \`src/environment/tasks/example_task.ts\` shows most of
what a task can do.

- Check your work with \`deno task check\` and \`deno task test\`, then with
  \`karotte run --task example_task --fake-model\`.
- Import from \`@karotte/cli/sdk\` only; \`z\` (zod) comes from there too.
- Code in \`src/environment/\` runs as root in a sandbox without network. Constructors and getters of
  tasks and steps also run outside of it, to list tasks: no files and no processes there. Do such
  work in \`preHook\`, \`preScoringHook\`, judges and tools.
- The student is the adversary. Never read, execute or delete by its path, as root, something that
  the student could have replaced: nothing below \`/workdir\`, \`/tmp\` or \`/dev/shm\`. Judges read the
  copies of the step's \`submissionPaths\` (\`context.submission(path)\`, in scoring scripts the folder
  \`KAROTTE_SUBMISSION\`); tools and \`preHook\` use \`context.student\`.
- The student's processes end before a step is scored, \`bash\`'s shell too. A step that tests a
  server which the student leaves running needs \`keepProcesses: true\`.
- An answer must not be in \`student_data/\`, \`shared_data/\`, instructions or tool output.
  \`RegexJudge\` searches what the student says in the step (\`where: "all"\`: the whole conversation).
- A scoring script writes \`{ "score": 0.5, "metadata": { "reason": "…" } }\` to the file that its
  last argument names. Scores are finite numbers. Metadata should tell a reader why.
- Throw \`StudentMisbehaviorError\` for what only a cheat would do: the step scores 0. Other errors in
  hooks and judges fail the whole run, as a fault of the environment.
`,
  "Containerfile": `# The student's machine: install here what your tasks need, as in any Containerfile. Karotte adds
# its own program, the student account and the data directories on top.
# It needs /bin/bash and glibc; the example task needs nothing that Debian lacks.
FROM debian:bookworm

ENV LANG=C.UTF-8
`,
  "README.md.njk": `# {{ env_name }}

Tasks for LLM agents, run and scored by [Karotte](https://jsr.io/@karotte/cli).

\`\`\`sh
# What is there:
karotte tasks list
# A scripted student solves the example, no model and no key needed:
karotte run --task example_task --fake-model
# The real thing; run_config.json then holds task, model and limits:
karotte create-run-config --model anthropic/claude-sonnet-4-5
karotte run --config run_config.json
# Types, lint and tests, which need no sandbox and no permissions:
deno task check
deno task test
\`\`\`

A run leaves a transcript and the submitted files in \`out/\`.

## What is where

| Here                            | In the sandbox       | Who may                                          |
| ------------------------------- | -------------------- | ------------------------------------------------ |
| \`student_data/\`                 | \`/workdir/data\`      | the student reads and writes                     |
| \`shared_data/\`                  | \`/workdir/shared\`    | the student reads                                |
| \`root_data/\`                    | \`/root_data\`         | root only: answers belong here                   |
| \`intermediate_data/\`            | \`/intermediate_data\` | root only: what tasks put away during a run      |
| \`src/environment/tasks/\`        | hidden               | tasks; a file that begins with \`_\` is not listed |
| \`src/environment/tools/\`        | hidden               | tools; the file's name is the tool's name        |
| \`src/environment/judges/\`       | hidden               | judges of your own                               |
| \`src/environment/scoring/\`      | hidden               | scoring scripts, each a program of its own       |
| \`src/environment/fake_model.ts\` | hidden               | what the scripted student says                   |
| \`Containerfile\`                 |                      | the machine the student works on                 |
| \`.dockerignore\`                 |                      | what the Containerfile can't copy                |
| \`karotte.plugins.json\`          |                      | plugins that this environment uses               |

## Your own task

1. \`cp src/environment/tasks/_template.ts src/environment/tasks/my_task.ts\`, and give it an id.
2. Put what the student gets into \`student_data/\`, the answer into \`root_data/\`.
3. Write a judge, or a scoring script where a program of its own is handier.
4. Script a student in \`fake_model.ts\` that solves it, and one that tries to cheat.

Judges, hooks, tools and scoring scripts run as root. The student will try everything, so name what
it hands in as the step's \`submissionPaths\` and read the copies that Karotte takes of it with the
student's rights: \`context.submission(path)\` in judges and hooks, \`KAROTTE_SUBMISSION\` + path in
scoring scripts. At the original's place there may be a link by now. Tools and \`preHook\` read with
\`context.student.readFile\`.
{%- if links.length %}

\`links\` in \`deno.json\` takes the sdk from a Karotte source tree on this machine. Remove it to use
the published one.
{%- endif %}
`,
  "deno.json.njk": `{
  "name": {{ package_name | dump }},
  "exports": {},
  "tasks": {
    "check": "deno check && deno lint",
    "test": "deno test",
    "fmt": "deno fmt"
  },
  "imports": {
    "@karotte/cli/sdk": "jsr:@karotte/cli@^{{ karotte_version }}/sdk"
  },
  {%- if links.length %}
  "links": {{ links | dump }},
  {%- endif %}
  "compilerOptions": {
    "strict": true,
    "noUncheckedIndexedAccess": true
  },
  "fmt": { "lineWidth": 100 },
  "exclude": ["out/"]
}
`,
  "intermediate_data/.gitkeep": ``,
  "karotte.plugins.json": `{
  "plugins": [],
  "entryPoints": {}
}
`,
  "root_data/expected_totals.csv": `variety,carrots
Chantenay,240
Nantaise,160
Purple Haze,182
Yellowstone,103
`,
  "shared_data/labels.txt": `Labels on the baskets, as weighed in the barn (grams).

basket  1  bed A1   2890 g
basket  2  bed A1   2407 g
basket  3  bed A2   4346 g
basket  4  bed A2   3952 g
basket  5  bed A3   2184 g
basket  6  bed A3   2573 g
basket  7  bed A4   2486 g
basket  8  bed B1   3182 g
basket  9  bed B1   2805 g
basket 10  bed B2   2090 g
basket 11  bed B2   2712 g
basket 12  bed B3   3816 g
basket 13  bed B3   4620 g
basket 14  bed B4   2352 g
basket 15  bed B4   2460 g
basket 16  bed C1   2241 g
basket 17  bed C2   1836 g
basket 18  bed C2   2331 g
basket 19  bed C3   2905 g
basket 20  bed C3   2688 g
basket 21  bed C4   4095 g
basket 22  bed C4   4368 g
`,
  "src/environment/fake_model.ts": `import type { EvaluationRunConfig, FakeMessage } from "@karotte/cli/sdk";

/**
 * What a scripted student says, turn by turn: \`karotte run --fake-model\` replays it instead of
 * asking a model, which costs nothing and shows whether a task can be solved. A message without
 * tool calls ends the step. These solve \`example_task\`; choose by \`config.task_id\` when there are
 * more tasks.
 */
export function getMessages(_config: EvaluationRunConfig): FakeMessage[] {
  return [...ADD_UP_CARROTS, ...CORRECT_THE_WEIGHT];
}

const ADD_UP_CARROTS: readonly FakeMessage[] = [
  call("I'll look at the ledger first.", "bash", {
    command: "id -un && head -n 4 data/harvest.csv",
  }),
  call("Is the answer lying around somewhere?", "bash", {
    command: "cat /root_data/expected_totals.csv",
  }),
  call("It is locked away, so I do the sums.", "bash", {
    command: \`{ echo variety,carrots
  tail -n +2 data/harvest.csv | awk -F, '{ sum[$3] += $4 } END { for (v in sum) print v "," sum[v] }' | sort
} > totals.csv
cat totals.csv\`,
  }),
  { content: "The totals are in /workdir/totals.csv." },
];

const CORRECT_THE_WEIGHT: readonly FakeMessage[] = [
  call("Which basket is the heaviest?", "summarize_column", {
    path: "/workdir/data/harvest.csv",
    column: "grams",
  }),
  call("18 kg for 17 carrots! Now its label.", "view_lines_in_file", {
    file_path: "/workdir/shared/labels.txt",
    from_line: 19,
    to_line: 19,
  }),
  call("A zero too many.", "replace_in_file", {
    file_path: "/workdir/data/harvest.csv",
    old: "17,C2,Yellowstone,17,18360",
    new: "17,C2,Yellowstone,17,1836",
  }),
  { content: "The weight is corrected. The wrong basket came from bed C2." },
];

/** A message that says something and calls one tool. */
function call(content: string, name: string, input: Record<string, unknown>): FakeMessage {
  return { content, tool_calls: [{ function: { name, arguments: JSON.stringify(input) } }] };
}
`,
  "src/environment/garden/ledger.ts": `/** One basket of the harvest: a line of \`harvest.csv\`. */
export interface Basket {
  readonly basket: string;
  readonly bed: string;
  readonly variety: string;
  readonly carrots: number;
  readonly grams: number;
}

/** A text that is not a ledger; the message names the line. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
}

const HEADER = "basket,bed,variety,carrots,grams";

/** Reads \`harvest.csv\`; throws a \`LedgerError\` if it makes no sense. */
export function parseLedger(text: string): Basket[] {
  const [header, ...lines] = text.trim().split(/\\r?\\n/);
  if (header !== HEADER) throw new LedgerError(\`line 1 is not "\${HEADER}"\`);
  return lines.map((line, index) => parseBasket(line, index + 2));
}

function parseBasket(line: string, lineNumber: number): Basket {
  const [basket, bed, variety, carrots, grams, ...rest] = line.split(",");
  const counts = [Number(carrots), Number(grams)] as const;
  if (!basket || !bed || !variety || rest.length > 0 || !counts.every(Number.isSafeInteger)) {
    throw new LedgerError(\`line \${lineNumber} is no basket: \${JSON.stringify(line.slice(0, 80))}\`);
  }
  return { basket, bed, variety, carrots: counts[0], grams: counts[1] };
}
`,
  "src/environment/garden/totals.ts": `/** What a scoring script writes to its verdict file. */
export interface Verdict {
  /** 0 to 1. */
  readonly score: number;
  /** Recorded beside the score. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Compares a submitted \`variety,carrots\` table with the right one: the score is the share of
 * varieties that are right. Lines may come in any order; a variety that does not exist costs all.
 */
export function judgeTotals(submitted: string, expected: string): Verdict {
  const right = parseTotals(expected);
  const given = parseTotals(submitted);
  const unknown = [...given.keys()].filter((variety) => !right.has(variety));
  if (unknown.length > 0) {
    return { score: 0, metadata: { unknown_varieties: unknown.join(", ").slice(0, 500) } };
  }
  const wrong = [...right].filter(([variety, carrots]) => given.get(variety) !== carrots);
  const score = (right.size - wrong.length) / right.size;
  const names = wrong.map(([variety]) => variety).join(", ");
  return { score, metadata: names === "" ? {} : { wrong_varieties: names } };
}

function parseTotals(text: string): Map<string, number> {
  const [, ...lines] = text.trim().split(/\\r?\\n/);
  return new Map(lines.map((line) => {
    const comma = line.lastIndexOf(",");
    return [line.slice(0, comma).trim(), Number(line.slice(comma + 1))];
  }));
}
`,
  "src/environment/judges/ledger_judge.ts": `import { Judge, type RunContext, type Scoring, scoring, type Transcript } from "@karotte/cli/sdk";
import { type Basket, LedgerError, parseLedger } from "../garden/ledger.ts";

export interface LedgerJudgeOptions {
  /** Where the student's ledger lies: one of the step's \`submissionPaths\`. */
  readonly path: string;
  /** The name under which the task kept the ledger as it was before the student came. */
  readonly original: string;
  /** The one basket to correct, and its true weight. */
  readonly basket: string;
  readonly grams: number;
}

/** Passes if one basket's weight was corrected and everything else in the ledger was left alone. */
export class LedgerJudge extends Judge {
  readonly #options: LedgerJudgeOptions;

  constructor(options: LedgerJudgeOptions) {
    super();
    this.#options = options;
  }

  override async evaluate(_transcript: Transcript, context: RunContext): Promise<Scoring> {
    const { path, original, basket, grams } = this.#options;
    const expected = parseLedger(await context.store.readText(original))
      .map((entry) => entry.basket === basket ? { ...entry, grams } : entry);
    // The harness's copy: judges are root, and at the path itself there may be a link by now.
    const copy = context.submission(path);
    if (copy === undefined) return scoring(0, { reason: "the student left no ledger" });
    return judgeLedger(await Deno.readTextFile(copy), expected);
  }
}

/** The verdict on the text of a ledger. */
export function judgeLedger(submitted: string, expected: readonly Basket[]): Scoring {
  try {
    const wrong = differingBaskets(parseLedger(submitted), expected);
    return wrong.length === 0 ? scoring(1) : scoring(0, { wrong_baskets: wrong.join(", ") });
  } catch (error) {
    // What the student left there is no ledger; any other error is a fault of this judge.
    if (error instanceof LedgerError) return scoring(0, { reason: error.message });
    throw error;
  }
}

function differingBaskets(found: readonly Basket[], expected: readonly Basket[]): string[] {
  const lines = new Map(found.map((entry) => [entry.basket, JSON.stringify(entry)]));
  const wrong = expected.filter((entry) => lines.get(entry.basket) !== JSON.stringify(entry));
  const names = wrong.map((entry) => entry.basket);
  return found.length === expected.length ? names : [...names, "not the same number of baskets"];
}
`,
  "src/environment/paths.ts": `/** Places in the sandbox. Karotte copies the data directories of this folder there. */

/** Home and working directory of the student. */
export const WORK_DIRECTORY = "/workdir";
/** From \`student_data/\`: the student may change it. */
export const STUDENT_DATA = "/workdir/data";
/** From \`shared_data/\`: the student may read it. */
export const SHARED_DATA = "/workdir/shared";
/** From \`root_data/\`: closed to the student. Answers belong here. */
export const ROOT_DATA = "/root_data";
/** From \`intermediate_data/\`: closed to the student too; tasks put things here during a run. */
export const INTERMEDIATE_DATA = "/intermediate_data";
`,
  "src/environment/scoring/check_totals.ts": `/**
 * Scores the totals of step 1. Arguments: the submitted file, the right answer and, always last,
 * the file for the verdict. It runs as a program of its own, as root, so it can read the answer; of
 * what the student wrote it reads the harness's copy in the folder KAROTTE_SUBMISSION.
 * Try it by hand: \`KAROTTE_SUBMISSION=. deno run -RWE src/environment/scoring/check_totals.ts
 * /mine.csv root_data/expected_totals.csv verdict.json\`
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
`,
  "src/environment/system_prompt.ts": `import type { EvaluationRunConfig } from "@karotte/cli/sdk";

/**
 * The system prompt of a task, as the run config wants it: \`system_prompt_override\` in its
 * \`extra_config\` replaces \`prompt\`, \`extra_system_prompt\` is appended after a blank line.
 * Throws a \`TypeError\` if one of them is not a string.
 */
export function systemPrompt(config: EvaluationRunConfig, prompt: string): string {
  const base = extraText(config, "system_prompt_override") ?? prompt;
  const extra = extraText(config, "extra_system_prompt") ?? "";
  return extra === "" ? base : \`\${base}\\n\\n\${extra}\`;
}

function extraText(config: EvaluationRunConfig, key: string): string | undefined {
  const value: unknown = config.extra_config?.[key];
  if (value === undefined || typeof value === "string") return value;
  throw new TypeError(\`extra_config.\${key}: expected a string, got \${JSON.stringify(value)}\`);
}
`,
  "src/environment/tasks/_template.ts": `import { AlwaysPassJudge, Step, Task } from "@karotte/cli/sdk";
import { systemPrompt } from "../system_prompt.ts";

/*
 * A task to copy: \`cp _template.ts my_task.ts\`, then choose an id of your own. Files whose names
 * begin with "_" are not listed. This one uses classes, which is handy when steps share code or
 * remember something; \`createTask\` in example_task.ts does the same with less to write.
 */

class FirstStep extends Step {
  override get instructions() {
    return "Say hello.";
  }

  override get judge() {
    return new AlwaysPassJudge();
  }
}

export class MyTask extends Task {
  static override readonly id = "my_task";

  override get systemPrompt() {
    return systemPrompt(this.config, "You are a careful engineer.");
  }

  override get tools() {
    return ["bash"];
  }

  override get steps() {
    return [new FirstStep(this.config)];
  }
}
`,
  "src/environment/tasks/example_task.ts": `import { createTask, ExecutableJudge, RegexJudge } from "@karotte/cli/sdk";
import { parseLedger } from "../garden/ledger.ts";
import { LedgerJudge } from "../judges/ledger_judge.ts";
import { ROOT_DATA, SHARED_DATA, STUDENT_DATA, WORK_DIRECTORY } from "../paths.ts";
import { systemPrompt } from "../system_prompt.ts";

const LEDGER = \`\${STUDENT_DATA}/harvest.csv\`;
const LABELS = \`\${SHARED_DATA}/labels.txt\`;
const TOTALS = \`\${WORK_DIRECTORY}/totals.csv\`;
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

  // Built-in tools, and files of \`tools/\` by their name.
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
      instructions: \`\${LEDGER} lists the carrot harvest, one basket a line.

Add up the carrots of each variety and write them to \${TOTALS}, with the header line
"variety,carrots" and one line for each variety.\`,
      // Copied before the judge comes, with the student's rights; judges read the copies.
      submissionPaths: [TOTALS],
      submissionLimits: { maxFileBytes: 1_000_000 },
      // A scoring script is a program of its own: see scoring/check_totals.ts. It gives a part of
      // the score for a part of the varieties; the run goes on only if all of them are right.
      judge: new ExecutableJudge({
        script: "scoring/check_totals.ts",
        args: [TOTALS, \`\${ROOT_DATA}/expected_totals.csv\`],
        continueThreshold: 1,
      }),
    },
    {
      instructions: \`One basket in \${LEDGER} is far too heavy: somebody wrote a wrong weight.

Correct the weight in that file; the label of each basket says what it really weighs, see
\${LABELS}. Change nothing else. Then tell me where it came from, in these words:
"The wrong basket came from bed X."\`,
      submissionPaths: [LEDGER],
      submissionLimits: { maxFileBytes: 1_000_000 },
      // RegexJudge searches what the student says in this step, not what tools print. A student may
      // still say every answer, so \`and\` asks a second judge if the first passes.
      judge: new RegexJudge([/wrong basket came from bed C2\\b/i])
        .and(
          new LedgerJudge({ path: LEDGER, original: ORIGINAL_LEDGER, basket: "17", grams: 1836 }),
        ),
    },
  ],
});
`,
  "src/environment/tools/summarize_column.ts": `import { defineTool, z } from "@karotte/cli/sdk";

/** The file's name is the tool's name: a task offers it as "summarize_column". */
export default defineTool({
  description:
    "Summarizes a column of numbers in a CSV file: how many rows there are, their sum, " +
    "the smallest and the largest value, and the whole row with the largest one.",
  input: z.object({
    path: z.string().describe("Absolute path of the CSV file, which has a header line"),
    column: z.string().describe("Name of the column"),
  }),
  // A task sets this in \`configureTools\`; the default applies where it does not.
  config: z.object({ max_bytes: z.number().int().positive().default(1_000_000) }),
  async run({ path, column }, { student, config }) {
    // Tools run as root. \`student\` acts with the student's rights, so the tool gives nothing away.
    const bytes = await student.readFile(path, { maxBytes: config.max_bytes });
    return summarizeColumn(new TextDecoder().decode(bytes), column);
  },
});

/** The summary that the model sees; throws an \`Error\` whose message the model sees instead. */
export function summarizeColumn(csv: string, column: string) {
  const [header = "", ...rows] = csv.trim().split(/\\r?\\n/);
  const index = header.split(",").indexOf(column);
  if (index === -1) throw new Error(\`There is no column "\${column}"; the header is: \${header}\`);
  const values = rows.map((row) => Number(row.split(",")[index]));
  if (values.length === 0) throw new Error("The file has no rows");
  const notANumber = values.findIndex((value) => !Number.isFinite(value));
  if (notANumber !== -1) throw new Error(\`Not a number in row: \${rows[notANumber]}\`);
  const largest = values.reduce((best, value, at) => value > values[best]! ? at : best, 0);
  return {
    rows: values.length,
    sum: values.reduce((sum, value) => sum + value, 0),
    smallest: values.reduce((least, value) => Math.min(least, value)),
    largest: values[largest]!,
    row_of_largest: rows[largest]!,
  };
}
`,
  "student_data/harvest.csv": `basket,bed,variety,carrots,grams
1,A1,Nantaise,34,2890
2,A1,Nantaise,29,2407
3,A2,Chantenay,41,4346
4,A2,Chantenay,38,3952
5,A3,Purple Haze,26,2184
6,A3,Purple Haze,31,2573
7,A4,Yellowstone,22,2486
8,B1,Nantaise,37,3182
9,B1,Nantaise,33,2805
10,B2,Yellowstone,19,2090
11,B2,Yellowstone,24,2712
12,B3,Chantenay,36,3816
13,B3,Chantenay,44,4620
14,B4,Purple Haze,28,2352
15,B4,Purple Haze,30,2460
16,C1,Nantaise,27,2241
17,C2,Yellowstone,17,18360
18,C2,Yellowstone,21,2331
19,C3,Purple Haze,35,2905
20,C3,Purple Haze,32,2688
21,C4,Chantenay,39,4095
22,C4,Chantenay,42,4368
`,
  "template.json": `{
  "description": "A working environment: an example task with its tool, judge, scoring script and tests",
  "requires": [],
  "do_not_recreate_if_deleted": [
    "AGENTS.md",
    "root_data/expected_totals.csv",
    "shared_data/labels.txt",
    "src/environment/garden",
    "src/environment/judges/ledger_judge.ts",
    "src/environment/scoring/check_totals.ts",
    "src/environment/tasks/example_task.ts",
    "src/environment/tools/summarize_column.ts",
    "student_data/harvest.csv",
    "tests"
  ]
}
`,
  "tests/example_task_test.ts": `import type { EvaluationRunConfig } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { getMessages } from "../src/environment/fake_model.ts";
import { ExampleTask } from "../src/environment/tasks/example_task.ts";

// Cast: the task reads nothing else of the run config.
const config = {
  extra_config: { extra_system_prompt: "Be brief." },
} as unknown as EvaluationRunConfig;

Deno.test("the example task has two steps with instructions and a judge", () => {
  const steps = [...new ExampleTask(config).steps];
  assert.equal(steps.length, 2);
  for (const step of steps) {
    assert.match(step.instructions, /\\/workdir\\//);
    assert.equal(typeof step.judge.evaluate, "function");
  }
});

Deno.test("each step submits one small file of the student's", () => {
  for (const step of new ExampleTask(config).steps) {
    assert.equal(step.submissionPaths.length, 1);
    assert.match(step.submissionPaths[0]!, /^\\/workdir\\//);
    assert.ok(step.submissionLimits.maxFileBytes! <= 1_000_000);
  }
});

Deno.test("the run config's extra system prompt is appended", () => {
  assert.match(new ExampleTask(config).systemPrompt ?? "", /work carefully\\.\\n\\nBe brief\\.$/i);
});

Deno.test("the scripted student ends each step and calls only tools that the task offers", () => {
  const task = new ExampleTask(config);
  const messages = getMessages(config);
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  for (const { function: called } of calls) {
    assert.ok(task.tools.includes(called.name), called.name);
    assert.equal(typeof JSON.parse(called.arguments), "object");
  }
  const ends = messages.filter((message) => (message.tool_calls ?? []).length === 0);
  assert.equal(ends.length, [...task.steps].length);
});
`,
  "tests/fake_context.ts": `import { type RunContext, StudentFileError } from "@karotte/cli/sdk";

/**
 * A context for judges, hooks and tools over the student's files in memory: no sandbox, no
 * permissions. Nothing was submitted.
 */
export function fakeContext(files: Readonly<Record<string, string>>): RunContext {
  const stored = new Map<string, string>();
  // Cast: what a test calls beyond these members fails loudly as "not a function".
  return {
    student: fakeStudent(files),
    submission: () => undefined,
    store: {
      write: (name: string, value: unknown) => Promise.resolve(stored.set(name, String(value))),
      readText: (name: string) => Promise.resolve(stored.get(name)),
    },
  } as unknown as RunContext;
}

/** A student that owns the given files, by path. */
export function fakeStudent(files: Readonly<Record<string, string>>): RunContext["student"] {
  return {
    readFile(path: string) {
      const content = files[path];
      return content === undefined
        ? Promise.reject(new StudentFileError("not_found", \`\${path} is not there\`))
        : Promise.resolve(new TextEncoder().encode(content));
    },
  } as unknown as RunContext["student"];
}
`,
  "tests/ledger_judge_test.ts": `import { Transcript } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { LedgerError, parseLedger } from "../src/environment/garden/ledger.ts";
import { judgeLedger, LedgerJudge } from "../src/environment/judges/ledger_judge.ts";
import { fakeContext } from "./fake_context.ts";

const HEADER = "basket,bed,variety,carrots,grams";
const ORIGINAL = \`\${HEADER}\\n1,A1,Nantaise,34,2890\\n2,A2,Chantenay,41,43460\\n\`;

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
  assert.equal(judgeLedger(\`\${HEADER}\\n2,A2,Chantenay,41,4346\\n\`, EXPECTED).score, 0);
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
`,
  "tests/summarize_column_test.ts": `import assert from "node:assert/strict";
import summarizeColumnTool, { summarizeColumn } from "../src/environment/tools/summarize_column.ts";
import { fakeContext } from "./fake_context.ts";

const CSV = "bed,grams\\nA1,30\\nC2,500\\nB3,20\\n";

Deno.test("the tool reads the file as the student and summarizes the column", async () => {
  const context = {
    ...fakeContext({ "/data.csv": CSV }),
    config: summarizeColumnTool.parseConfig(undefined),
  };
  const input = await summarizeColumnTool.parseInput({ path: "/data.csv", column: "grams" });
  assert.deepEqual(await summarizeColumnTool.run(input, context), {
    rows: 3,
    sum: 550,
    smallest: 20,
    largest: 500,
    row_of_largest: "C2,500",
  });
});

Deno.test("arguments of the wrong type are refused with a message for the model", async () => {
  await assert.rejects(() => summarizeColumnTool.parseInput({ path: "/data.csv" }), /column/);
});

Deno.test("a column that is not there or not numeric is an error that says so", () => {
  assert.throws(() => summarizeColumn(CSV, "weight"), /no column "weight"/);
  assert.throws(() => summarizeColumn(CSV, "bed"), /Not a number/);
  assert.throws(() => summarizeColumn("grams\\n", "grams"), /no rows/);
});
`,
  "tests/system_prompt_test.ts": `import type { EvaluationRunConfig } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { systemPrompt } from "../src/environment/system_prompt.ts";

function promptWith(extra_config: Record<string, unknown> | null): string {
  // Cast: only extra_config is read.
  return systemPrompt({ extra_config } as unknown as EvaluationRunConfig, "Base.");
}

Deno.test("extra_config replaces and extends the system prompt", () => {
  assert.equal(promptWith(null), "Base.");
  assert.equal(promptWith({ extra_system_prompt: "More." }), "Base.\\n\\nMore.");
  assert.equal(promptWith({ system_prompt_override: "" }), "");
  assert.equal(
    promptWith({ system_prompt_override: "Other.", extra_system_prompt: "More." }),
    "Other.\\n\\nMore.",
  );
});

Deno.test("a value that is not a string is refused with the key's name", () => {
  assert.throws(() => promptWith({ extra_system_prompt: ["no"] }), /extra_system_prompt/);
});
`,
  "tests/totals_test.ts": `import assert from "node:assert/strict";
import { judgeTotals } from "../src/environment/garden/totals.ts";

const EXPECTED = "variety,carrots\\nChantenay,240\\nPurple Haze,182\\n";

Deno.test("right totals score 1, in any order and without a final newline", () => {
  const verdict = judgeTotals("variety,carrots\\nPurple Haze,182\\nChantenay,240", EXPECTED);
  assert.deepEqual(verdict, { score: 1, metadata: {} });
});

Deno.test("the score is the share of varieties that are right", () => {
  const verdict = judgeTotals("variety,carrots\\nPurple Haze,182\\nChantenay,24", EXPECTED);
  assert.deepEqual(verdict, { score: 0.5, metadata: { wrong_varieties: "Chantenay" } });
});

Deno.test("an invented variety and an empty file score 0", () => {
  assert.equal(judgeTotals("variety,carrots\\nParsnip,1\\n", EXPECTED).score, 0);
  assert.equal(judgeTotals("", EXPECTED).score, 0);
});
`,
};
