import { messageOf } from "../base/errors.ts";
import { isReachableSync } from "../base/files.ts";
import { STATE_DIRECTORY } from "../protocol/layout.ts";
import type { ExecutableJudge } from "../sdk/judges/executable_judge.ts";
import { studentWritablePart } from "../sdk/judges/student_writable_part.ts";
import type { Step } from "../sdk/task.ts";
import { judgesOf } from "./judge_folders.ts";
import { scriptFile } from "./script_file.ts";

export interface JudgeProgramPlaces {
  /** The private folder, with the bundles of scripts. */
  readonly privateDirectory: string;
  /** Whether this is the image that runs are made of, so that its programs can be looked for. */
  readonly inImage: boolean;
}

/** Places of root's that are filled, or mounted, only while a sandbox runs. */
const FILLED_LATER = ["/intermediate_data", STATE_DIRECTORY, "/run", "/tmp", "/dev", "/proc"];

/**
 * Returns what the judges of a task's steps want to run and is not there, a sentence each. A judge
 * that can't be made before the run is passed over, and so is a program in a place that the student
 * may write to, or that hooks and mounts fill.
 */
export async function missingJudgePrograms(
  steps: readonly Pick<Step, "judge">[],
  places: JudgeProgramPlaces,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [index, step] of steps.entries()) {
    for (const judge of judgesOf(step)) {
      const reason = await missingProgram(judge, places);
      if (reason !== undefined) missing.push(`step ${index}: ${reason}`);
    }
  }
  return missing;
}

async function missingProgram(
  { options: { script, argv } }: ExecutableJudge,
  { privateDirectory, inImage }: JudgeProgramPlaces,
): Promise<string | undefined> {
  if (script !== undefined) {
    try {
      scriptFile(privateDirectory, script);
    } catch (error) {
      return messageOf(error);
    }
  }
  const program = argv?.[0];
  if (!inImage || program === undefined || !program.startsWith("/")) return undefined;
  if (isReachableSync(program)) return undefined;
  if (FILLED_LATER.some((folder) => program.startsWith(`${folder}/`))) return undefined;
  if (await studentWritablePart(program) !== undefined) return undefined;
  return `Program "${program}": there is no such file in the image`;
}
