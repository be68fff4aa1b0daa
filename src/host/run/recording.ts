import { faultOf, messageWithHint } from "../../base/errors.ts";
import { Redactor } from "../../records/redactor.ts";
import { RunSummary } from "../../records/run_summary.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { RunStatus } from "../../schemas/transcript.ts";
import { Conversation } from "../models/conversation.ts";
import type { RunAnswers } from "../models/run_answers.ts";
import type { RunModels } from "../models/run_models.ts";
import type { Progress } from "./progress.ts";
import { NO_PATHS, type OpenRunSink, type RecordPaths, type RunSink } from "./run_sink.ts";
import { InterruptedError } from "./session.ts";
import type { RunVariables } from "./variables.ts";

/** A run that is to be made, wherever it runs. */
export interface PlannedRun {
  readonly config: EvaluationRunConfig;
  readonly variables: RunVariables;
  readonly models: RunModels;
  /** The most turns of its student; null = no limit. */
  readonly turnLimit: number | null;
  /** Counts the runs of the command. */
  readonly index: number;
  readonly progress: Progress;
  /** Opens what takes what the run says. */
  readonly openSink: OpenRunSink;
  /** The user's interrupt. */
  readonly signal: AbortSignal;
}

/** What a run came to, and where its records are. */
export interface RunOutcome extends RecordPaths {
  readonly runId: string;
  readonly status: RunStatus;
  readonly summary: RunSummary;
  /** What ended the run before its end, `InterruptedError` among it; undefined: nothing did. */
  readonly failure: unknown;
  readonly interrupted: boolean;
  /** What went wrong besides the run itself, for the user: recording, clean-up. */
  readonly faults: readonly string[];
}

/** Where a run that is under way leaves what it says, and whom it asks. */
export interface Recording extends Pick<RunSink, "recorder" | "artifacts"> {
  readonly redactor: Redactor;
  readonly answers: RunAnswers;
  /** Takes what went wrong besides the run itself. */
  readonly faults: string[];
}

/** Makes a run and records it, whatever happens in it. Throws only what `openSink` throws. */
export async function recordRun(
  run: PlannedRun,
  execute: (recording: Recording) => Promise<void>,
): Promise<RunOutcome> {
  const { config, models, turnLimit, index, progress, signal } = run;
  const redactor = new Redactor(run.variables.secrets);
  const summary = new RunSummary(() => models.price);
  const conversation = new Conversation();
  const note = (line: string) => progress.note(redactor.text(line));
  await using sink = await run.openSink({
    ...{ config, redactor, summary, note, signal },
    onEvent: (event) => {
      progress.event(event, models.price);
      conversation.add(event);
    },
  });
  const { recorder, artifacts } = sink;
  const answers = models.forRun({
    ...{ config, conversation, turnLimit, index, redactor, told: note },
    external: () => sink.external(),
    async record(event) {
      // A question may be given up by the end of its run, after which no event comes.
      if (summary.status !== null) return;
      await recorder.record({ timestamp: new Date().toISOString(), ...event });
    },
  });
  const faults: string[] = [];
  const failure = await faultOf(() => execute({ recorder, redactor, artifacts, answers, faults }));
  const paths = await sink.finish(failure, faults);
  return {
    runId: config.run_id,
    status: faults.length > 0 ? "error" : summary.status ?? "error",
    summary,
    failure,
    interrupted: failure instanceof InterruptedError,
    ...paths,
    faults: [...new Set(faults)],
  };
}

/** Returns the outcome of a run that left no record. */
export function unrecorded(runId: string, reason: unknown): RunOutcome {
  return {
    runId,
    status: "error",
    summary: new RunSummary(),
    failure: reason,
    interrupted: false,
    ...NO_PATHS,
    faults: [messageWithHint(reason)],
  };
}
