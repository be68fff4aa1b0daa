import type { PluginCommand } from "@karotte/cli/sdk";
import { readRuns, type RunScores } from "./read_runs.ts";

export const scores: PluginCommand = {
  description: `
Lists the runs of the environment whose transcripts are in out/, and the score of each step.

  karotte scores [--json]`,
  async main(args, { path, directory, printLine, logLine }) {
    if (args.some((arg) => arg !== "--json")) {
      logLine(`usage: ${path} [--json]`);
      return 2;
    }
    const { runs, unreadable } = await readRuns(`${directory}/out`);
    for (const problem of unreadable) logLine(problem);
    if (args.length > 0) printLine(JSON.stringify(runs, null, 2));
    else runs.map(lineOf).forEach(printLine);
    return unreadable.length > 0 ? 1 : 0;
  },
};

function lineOf({ run_id, task_id, scores, mean }: RunScores): string {
  const steps = scores.length === 0 ? "not scored" : `${scores.join(" ")}, mean ${mean}`;
  return `${run_id}  ${task_id}  ${steps}`;
}
