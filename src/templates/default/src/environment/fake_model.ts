import type { EvaluationRunConfig, FakeMessage } from "@karotte/cli/sdk";

/**
 * What a scripted student says, turn by turn: `karotte run --fake-model` replays it instead of
 * asking a model, which costs nothing and shows whether a task can be solved. A message without
 * tool calls ends the step. These solve `example_task`; choose by `config.task_id` when there are
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
    command: `{ echo variety,carrots
  tail -n +2 data/harvest.csv | awk -F, '{ sum[$3] += $4 } END { for (v in sum) print v "," sum[v] }' | sort
} > totals.csv
cat totals.csv`,
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
