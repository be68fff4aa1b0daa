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
 * The verdict on a step. The student's misbehaviour is a verdict of 0; what else is thrown, a
 * time-out and a verdict of a wrong shape end the run.
 */
export async function scoreStep(
  step: Step,
  transcript: Transcript,
  options: { context: RunContext; limitSeconds: number },
): Promise<Scoring> {
  const { context, limitSeconds } = options;
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new ScoringTimeLimitError(`Scoring took longer than ${limitSeconds} s`)),
    limitSeconds * 1000,
  );
  const signal = AbortSignal.any([context.signal, limit.signal]);
  try {
    return await orAbort(judge(step, transcript, { ...context, signal }), signal);
  } finally {
    clearTimeout(timer);
    limit.abort(); // ends what a judge left running
  }
}

async function judge(step: Step, transcript: Transcript, context: RunContext): Promise<Scoring> {
  try {
    await step.preScoringHook(context);
    const { judge } = step;
    for (const warning of await openJudgeFolders(judge)) await context.warn(warning);
    return checked(await judge.evaluate(transcript, context));
  } catch (error) {
    return misbehaviorVerdict(error);
  }
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
