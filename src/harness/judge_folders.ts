import { normalize } from "node:path";
import { ExecutableJudge } from "../sdk/judges/executable_judge.ts";
import { CompositeJudge, type Judge } from "../sdk/judges/judge.ts";
import { studentWritablePart } from "../sdk/judges/student_writable_part.ts";
import type { Step } from "../sdk/task.ts";

/** The places of a sandbox that the student can write in, and one in them that it can't. */
const STUDENTS_PLACES = ["/workdir", "/tmp", "/var/tmp", "/dev/shm"];
const NOT_THE_STUDENTS = "/workdir/shared";

/** Returns the judges that run programs among those that a judge consists of, in order. */
export function executableJudges(judge: Judge): ExecutableJudge[] {
  if (judge instanceof CompositeJudge) return judge.judges.flatMap(executableJudges);
  return judge instanceof ExecutableJudge ? [judge] : [];
}

/**
 * Returns a sentence for each step whose judge runs a program in a folder that is the student's in
 * every sandbox. A judge that can't be made before the run is passed over.
 */
export function judgeFolderWarnings(steps: readonly Pick<Step, "judge">[]): string[] {
  return steps.flatMap((step, index) => {
    const folders = foldersOf(judgesOf(step)).filter(isStudents);
    return folders.map((folder) => `step ${index}: ${warning(folder)}`);
  });
}

/** Returns a sentence for each folder of a judge's programs that the student can write just now. */
export async function openJudgeFolders(judge: Judge): Promise<string[]> {
  const warnings: string[] = [];
  for (const folder of foldersOf(executableJudges(judge))) {
    if (await studentWritablePart(folder) !== undefined) warnings.push(warning(folder));
  }
  return warnings;
}

/** Returns those of a step; none where its judge can't be made before the run. */
export function judgesOf(step: Pick<Step, "judge">): ExecutableJudge[] {
  try {
    return executableJudges(step.judge);
  } catch {
    return []; // it wants what a hook finds
  }
}

function foldersOf(judges: readonly ExecutableJudge[]): string[] {
  return [...new Set(judges.flatMap(({ options: { cwd } }) => cwd ?? []))];
}

function isStudents(folder: string): boolean {
  const path = `${normalize(folder)}/`;
  const isIn = (place: string) => path.startsWith(`${place}/`);
  return STUDENTS_PLACES.some(isIn) && !isIn(NOT_THE_STUDENTS);
}

function warning(folder: string): string {
  return `the judge's program runs in ${
    JSON.stringify(folder)
  }, where the student can write, and ` +
    "may run what lies there: leave cwd out and give the program whole paths";
}
