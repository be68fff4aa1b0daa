import { listProcessesOfUser } from "../base/process_table.ts";
import { orAbort } from "../base/promises.ts";
import type { Scoring } from "../schemas/scoring.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import type { RunContext } from "../sdk/run_context.ts";
import type { Step } from "../sdk/task.ts";
import type { Transcript } from "../sdk/transcript.ts";
import { openJudgeFolders } from "./judge_folders.ts";
import { scoringMetadata } from "./metadata.ts";

/** `preScoringHook` and judge took longer than the task's `scoringTimeLimitSeconds`. */
class ScoringTimeLimitError extends Error {
  override readonly name = "ScoringTimeLimitError";
}

/** A judge returned something that is not a verdict. */
class InvalidScoringError extends Error {
  override readonly name = "InvalidScoringError";
}

/**
 * Returns the verdict on a step. The student's misbehaviour is a verdict of 0, and so is a time-out
 * while a program of the student's runs; what else is thrown, any other time-out and a verdict of a
 * wrong shape end the run.
 */
export async function scoreStep(
  step: Step,
  transcript: Transcript,
  options: { context: RunContext; limitSeconds: number },
): Promise<Scoring> {
  const { context, limitSeconds } = options;
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(timeIsOver(context.student.uid, limitSeconds)),
    limitSeconds * 1000,
  );
  const signal = AbortSignal.any([context.signal, limit.signal]);
  try {
    return await orAbort(judge(step, transcript, { ...context, signal }), signal);
  } catch (error) {
    return misbehaviorVerdict(error);
  } finally {
    clearTimeout(timer);
    limit.abort(); // ends what a judge left running
  }
}

async function judge(step: Step, transcript: Transcript, context: RunContext): Promise<Scoring> {
  await step.preScoringHook(context);
  const { judge } = step;
  for (const warning of await openJudgeFolders(judge)) await context.warn(warning);
  return checked(await judge.evaluate(transcript, context));
}

/**
 * Returns what ends scoring that takes too long. The student's own processes have ended, so one
 * that runs was started to be judged, or was kept to be asked: if it never answers, that is the
 * student's doing, and an error would be a second try.
 */
function timeIsOver(uid: number, limitSeconds: number): Error {
  if (listProcessesOfUser(uid).length === 0) {
    return new ScoringTimeLimitError(`Scoring took longer than ${limitSeconds} s`);
  }
  return new StudentMisbehaviorError(
    `A program of the student's still ran when scoring had taken ${limitSeconds} s; ` +
      "$KAROTTE_AS_STUDENT --timeout and student.run's timeoutMs end it earlier",
  );
}

/** Returns the verdict on the student's misbehaviour; throws any other error again. */
export function misbehaviorVerdict(error: unknown): Scoring {
  if (!(error instanceof StudentMisbehaviorError)) throw error;
  return { score: 0, metadata: { misbehavior: error.message }, continue_task: false };
}

function checked(verdict: Scoring): Scoring {
  const { score, metadata, continue_task } = verdict ?? {};
  if (typeof score !== "number" || !Number.isFinite(score)) {
    throw new InvalidScoringError(
      `A judge's score must be a finite number, it is ${String(score)}`,
    );
  }
  if (typeof continue_task !== "boolean") {
    throw new InvalidScoringError("A judge's verdict needs continue_task: true or false");
  }
  return { score, metadata: scoringMetadata(metadata ?? {}), continue_task };
}
