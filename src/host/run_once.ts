import { KarotteError, messageOf } from "../base/errors.ts";
import { readLines } from "../base/ndjson.ts";
import type { Runtime, SandboxSpec } from "../runtimes/runtime.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { RunStatus, TranscriptEvent } from "../schemas/transcript.ts";
import { ArtifactStore } from "./artifact_store.ts";
import type { BundleUpload } from "./bundle_upload.ts";
import { claimOutputFiles } from "./output_files.ts";
import type { Progress } from "./progress.ts";
import { Recorder } from "./recorder.ts";
import { Redactor } from "./redactor.ts";
import type { RunEnvironment } from "./run_environment.ts";
import { RunSummary } from "./run_summary.ts";
import { InterruptedError, runSession, SandboxDiedError } from "./session.ts";

export interface RunOnceOptions {
  readonly config: EvaluationRunConfig;
  /** Names the files in `out/` where the config names none. */
  readonly outputName: string;
  /** Where relative output paths start. */
  readonly directory: string;
  readonly runtime: Runtime;
  /** The sandbox to start; its `runId` is the config's. */
  readonly sandbox: Omit<SandboxSpec, "runId">;
  /** See `SessionOptions`. */
  readonly bundle?: BundleUpload | undefined;
  readonly scoringLimitSeconds: number;
  readonly environment: RunEnvironment;
  /** Recorded as warning events right after the start of the task. */
  readonly warnings: readonly string[];
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface RunOutcome {
  readonly runId: string;
  readonly status: RunStatus;
  readonly summary: RunSummary;
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

/** Runs one config in one sandbox and records it, whatever happens. Throws only for bad output paths. */
export async function runOnce(options: RunOnceOptions): Promise<RunOutcome> {
  const { config, progress } = options;
  const files = await claimOutputFiles(config, {
    directory: options.directory,
    name: options.outputName,
  });
  const redactor = new Redactor(options.environment.secrets);
  using recorder = new Recorder(config.run_id, files, {
    redactor,
    onEvent: (event) => progress.event(event),
  });
  const artifacts = new ArtifactStore(files.directory, config.run_id);
  const faults: string[] = [];
  const failure = await attempt(() =>
    runInSandbox(options, { recorder, redactor, artifacts, faults })
  );
  if (failure !== undefined) {
    const fault = await attempt(() => recordFailure(recorder, failure));
    if (fault !== undefined) faults.push(told(failure), told(fault));
  }
  let transcriptPath: string | null = null;
  const unwritten = await attempt(async () => {
    transcriptPath = await recorder.finish();
  });
  if (unwritten !== undefined) faults.push(told(unwritten));
  return {
    runId: config.run_id,
    status: faults.length > 0 ? "error" : recorder.summary.status ?? "error",
    summary: recorder.summary,
    interrupted: failure instanceof InterruptedError,
    transcriptPath,
    eventsPath: recorder.eventsPath,
    artifactsPath: await artifacts.folder,
    faults: [...new Set(faults)],
  };
}

/** The outcome of a run that left no record. */
export function unrecorded(runId: string, reason: unknown): RunOutcome {
  return {
    runId,
    status: "error",
    summary: new RunSummary(),
    interrupted: false,
    transcriptPath: null,
    eventsPath: undefined,
    artifactsPath: undefined,
    faults: [told(reason)],
  };
}

interface Recording {
  readonly recorder: Recorder;
  readonly redactor: Redactor;
  readonly artifacts: ArtifactStore;
  readonly faults: string[];
}

async function runInSandbox(
  options: RunOnceOptions,
  { recorder, redactor, artifacts, faults }: Recording,
): Promise<void> {
  const { config, runtime, signal, progress, environment } = options;
  if (signal.aborted) throw new InterruptedError(messageOf(signal.reason));
  const sandbox = await runtime.launch({ ...options.sandbox, runId: config.run_id });
  const logging = relayLog(sandbox.stderr, (line) => progress.log(redactor.text(line)));
  try {
    await runSession({
      sandbox,
      start: {
        config: withoutKeys(config),
        environment: { ...environment.variables },
        harness_secret_env: [...environment.withheld],
      },
      bundle: options.bundle,
      record: (event) => recordWithWarnings(recorder, event, options.warnings),
      artifacts,
      scoringLimitSeconds: options.scoringLimitSeconds,
      signal,
    });
  } finally {
    const fault = await attempt(async () => await sandbox[Symbol.asyncDispose]());
    if (fault !== undefined) faults.push(`Cannot clean up after the run: ${told(fault)}`);
    await logging;
  }
}

/** Readers expect `task_started` first, so what the host has to say comes right after it. */
async function recordWithWarnings(
  recorder: Recorder,
  event: TranscriptEvent,
  warnings: readonly string[],
): Promise<void> {
  const recorded = [recorder.record(event)];
  if (event.type === "task_started") {
    for (const message of warnings) recorded.push(recorder.recordNew({ type: "warning", message }));
  }
  await Promise.all(recorded);
}

/** Model keys stay on the host. */
function withoutKeys(config: EvaluationRunConfig): EvaluationRunConfig {
  return { ...config, model_api_key: null, rubric_judge_api_key: null };
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
    message: told(failure),
    traceback: null,
  });
  await recorder.recordNew({ type: "task_completed", status: "error" });
}

/** An error's message with what to do about it. */
function told(error: unknown): string {
  const hint = error instanceof KarotteError && error.hint ? ` (${error.hint})` : "";
  return messageOf(error) + hint;
}

function inStudentsTurn({ activity }: SandboxDiedError): boolean {
  return activity.kind === "turn" || activity.kind === "tool";
}

const MAX_LOG_LINE_BYTES = 64 * 1024;

/** Shows what the sandbox logs. A line that is too long ends the showing, never the draining. */
async function relayLog(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  show: (line: string) => void,
): Promise<void> {
  const reader = stream.getReader();
  const read = async () => (await reader.read()).value ?? null;
  const decoder = new TextDecoder();
  try {
    for await (const line of readLines(read, { maxBytes: MAX_LOG_LINE_BYTES })) {
      show(decoder.decode(line));
    }
  } catch (error) {
    show(`(the log is no longer shown: ${messageOf(error)})`);
    while (await read() !== null) { /* drained, or the sandbox would stop at a full pipe */ }
  }
}

/** What a promise failed with; undefined if it did not. */
async function attempt(body: () => Promise<unknown>): Promise<unknown> {
  try {
    await body();
    return undefined;
  } catch (error) {
    return error ?? new Error("unknown error");
  }
}
