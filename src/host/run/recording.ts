import { faultOf, messageWithHint } from "../../base/errors.ts";
import { ArtifactStore } from "../../records/artifact_store.ts";
import { claimOutputFiles } from "../../records/output_files.ts";
import { Recorder } from "../../records/recorder.ts";
import { Redactor } from "../../records/redactor.ts";
import { RunSummary } from "../../records/run_summary.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { Spent } from "../../schemas/spent.ts";
import type { RunStatus } from "../../schemas/transcript.ts";
import { openBackend } from "../backend/backend.ts";
import { Conversation } from "../models/conversation.ts";
import type { RunAnswers } from "../models/run_answers.ts";
import type { RunModels } from "../models/run_models.ts";
import type { Progress } from "./progress.ts";
import { InterruptedError, SandboxDiedError } from "./session.ts";
import type { RunEnvironment } from "./variables.ts";

export interface RecordRunOptions {
  readonly config: EvaluationRunConfig;
  /** Names the files in `out/` where the config names none. */
  readonly outputName: string;
  /** Where relative output paths start. */
  readonly directory: string;
  readonly environment: RunEnvironment;
  readonly models: RunModels;
  /** Counts the runs of the command. */
  readonly index: number;
  readonly progress: Progress;
  /** The user's interrupt. */
  readonly signal: AbortSignal;
}

/** What a run came to, and where its records are. */
export interface RunOutcome {
  readonly runId: string;
  readonly status: RunStatus;
  readonly summary: RunSummary;
  /** What the judges' models took; null if none was asked. */
  readonly judged: Spent | null;
  readonly interrupted: boolean;
  /** Null if none was wanted or it could not be written. */
  readonly transcriptPath: string | null;
  /** Undefined: nothing could be recorded. */
  readonly eventsPath: string | undefined;
  /** The folder of the run's artifacts; undefined if there are none. */
  readonly artifactsPath: string | undefined;
  /** What went wrong besides the run itself, for the user: recording, clean-up. */
  readonly faults: readonly string[];
}

/** Where a run leaves what it says, and whom it asks. */
export interface Recording {
  readonly recorder: Pick<Recorder, "record" | "recordNew">;
  readonly redactor: Redactor;
  readonly artifacts: Pick<ArtifactStore, "open">;
  readonly answers: RunAnswers;
  /** Takes what went wrong besides the run itself. */
  readonly faults: string[];
}

/** Records a run, whatever happens in it. Throws only for bad output paths. */
export async function recordRun(
  options: RecordRunOptions,
  execute: (recording: Recording) => Promise<void>,
): Promise<RunOutcome> {
  const { config, progress, models } = options;
  const files = await claimOutputFiles(config, {
    directory: options.directory,
    name: options.outputName,
  });
  const redactor = new Redactor(options.environment.secrets);
  const tell = (line: string) => progress.note(redactor.text(line));
  const { eventsPath } = files;
  await using backend = openBackend(config, { eventsPath, warn: tell, signal: options.signal });
  const conversation = new Conversation();
  using recorder = new Recorder(config.run_id, files, {
    redactor,
    summary: new RunSummary(models.price),
    onEvent: (event) => {
      progress.event(event, models.price);
      conversation.add(event);
    },
    onWritten: () => backend?.stream.wake(),
  });
  const answers = models.forRun({
    config,
    conversation,
    turnLimit: config.turn_limit,
    index: options.index,
    redactor,
    told: tell,
    external: () => backend?.external(),
  });
  const artifacts = new ArtifactStore(files.directory, config.run_id);
  const faults: string[] = [];
  const failure = await faultOf(() => execute({ recorder, redactor, artifacts, answers, faults }));
  if (failure !== undefined) {
    const fault = await faultOf(() => recordFailure(recorder, failure));
    if (fault !== undefined) faults.push(messageWithHint(failure), messageWithHint(fault));
  }
  let transcriptPath: string | null = null;
  const unwritten = await faultOf(async () => {
    transcriptPath = await recorder.finish();
  });
  if (unwritten !== undefined) faults.push(messageWithHint(unwritten));
  const unsent = await backend?.stream.finish();
  if (unsent !== undefined) faults.push(redactor.text(unsent));
  const folder = await artifacts.folder;
  if (folder !== undefined) await backend?.uploadArtifacts(folder);
  return {
    runId: config.run_id,
    status: faults.length > 0 ? "error" : recorder.summary.status ?? "error",
    summary: recorder.summary,
    judged: answers.judged,
    interrupted: failure instanceof InterruptedError,
    transcriptPath,
    eventsPath,
    artifactsPath: folder,
    faults: [...new Set(faults)],
  };
}

/** The outcome of a run that left no record. */
export function unrecorded(runId: string, reason: unknown): RunOutcome {
  return {
    runId,
    status: "error",
    summary: new RunSummary(),
    judged: null,
    interrupted: false,
    transcriptPath: null,
    eventsPath: undefined,
    artifactsPath: undefined,
    faults: [messageWithHint(reason)],
  };
}

/** Ends the transcript of a run whose harness could not. */
async function recordFailure(recorder: Recorder, failure: unknown): Promise<void> {
  if (recorder.summary.status !== null) return; // it had ended before things went wrong
  if (failure instanceof SandboxDiedError && failure.exhausted && inStudentsTurn(failure)) {
    const metadata = { student_exhausted_sandbox: failure.message };
    const scoring = { score: 0, metadata, continue_task: false };
    await recorder.recordNew({ type: "scoring", scoring, resource_metrics: null });
    await recorder.recordNew({ type: "task_completed", status: "failed" });
    return;
  }
  const type = failure instanceof Error ? failure.name : typeof failure;
  await recorder.recordNew({
    type: "error",
    exception_type: type,
    message: messageWithHint(failure),
    traceback: null,
  });
  await recorder.recordNew({ type: "task_completed", status: "error" });
}

function inStudentsTurn({ activity }: SandboxDiedError): boolean {
  return activity.kind === "turn" || activity.kind === "tool";
}
