import { KeyReferenceError } from "../sdk/judges/rubric_key.ts";
import type { Step } from "../sdk/task.ts";

/**
 * Makes the judges of a task's steps, and throws if one of them is given a key. A judge that can't
 * be made before the run, for want of what a hook finds, is passed over.
 */
export function checkJudgeKeys(taskId: string, steps: readonly Step[]): void {
  for (const [index, step] of steps.entries()) {
    try {
      void step.judge;
    } catch (error) {
      if (error instanceof KeyReferenceError) {
        throw placed(error, `Task "${taskId}", step ${index}`);
      }
    }
  }
}

/** The stack is kept: it says in which file the judge is made. */
function placed(error: KeyReferenceError, place: string): Error {
  const message = `${place}: ${error.message}`;
  const told = new Error(message, { cause: error });
  if (error.stack !== undefined) told.stack = error.stack.replace(error.message, () => message);
  return told;
}
