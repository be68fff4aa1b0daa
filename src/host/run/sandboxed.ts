import { faultOf, KarotteError, messageOf, messageWithHint } from "../../base/errors.ts";
import { readLines } from "../../base/ndjson.ts";
import type { Runtime, Sandbox, SandboxSpec } from "../../runtimes/runtime.ts";
import type { Guard } from "../../protocol/guards.ts";
import type { SandboxMemory } from "../../schemas/student_limits.ts";
import { type TranscriptEvent, warningEvent } from "../../schemas/transcript.ts";
import type { BundleUpload } from "./bundle_upload.ts";
import { type PlannedRun, type Recording, recordRun, type RunOutcome } from "./recording.ts";
import { seenOnly } from "./run_sink.ts";
import { InterruptedError, runSession } from "./session.ts";
import { startParams } from "./start_params.ts";

/** A run in a sandbox. */
export interface SandboxedRun extends PlannedRun {
  readonly runtime: Runtime;
  /** The sandbox to start; its `runId` is the config's. */
  readonly sandbox: Omit<SandboxSpec, "runId">;
  /** See `SessionOptions`. */
  readonly bundle?: BundleUpload | undefined;
  readonly scoringLimitSeconds: number;
  /** See `startParams`. */
  readonly sandboxMemory: SandboxMemory | undefined;
  /** See `startParams`. */
  readonly guardsOff: readonly Guard[];
  /** Recorded as warning events right after the start of the task. */
  readonly warnings: readonly string[];
}

/** Runs a config in a sandbox and records it. Throws only what `openSink` throws. */
export async function runSandboxed(run: SandboxedRun): Promise<RunOutcome> {
  return await recordRun(run, (recording) => runInSandbox(run, recording));
}

/**
 * Sets a run up, calls `onPrepared` and holds its sandbox until the signal: a run without steps and
 * without records. Throws a run error if the setup fails or the sandbox dies, the signal's reason
 * if that comes before all is set up, and a runtime error for what could not be cleaned up.
 */
export async function holdSandboxed(
  run: Omit<SandboxedRun, "openSink" | "turnLimit">,
  onPrepared: (sandbox: Sandbox) => void,
): Promise<void> {
  let isPrepared = false;
  const held: SandboxedRun = { ...run, openSink: seenOnly, turnLimit: 0 };
  const { failure, interrupted, summary, faults } = await recordRun(
    held,
    (recording) =>
      runInSandbox(held, recording, (sandbox) => {
        isPrepared = true;
        onPrepared(sandbox);
      }),
  );
  if (interrupted && !isPrepared) throw run.signal.reason;
  const { error } = summary;
  const reason = failure !== undefined && !interrupted
    ? messageWithHint(failure)
    : error && `${error.type}: ${error.message}`;
  if (reason !== null) {
    const all = [reason, ...faults].join("; ");
    throw new KarotteError("run", `Cannot prepare task "${run.config.task_id}": ${all}`);
  }
  if (faults.length > 0) throw new KarotteError("runtime", faults.join("; "));
}

/**
 * Runs a config in a sandbox; with `onPrepared` no step of it. Throws what ended it before its end,
 * `InterruptedError` among it.
 */
async function runInSandbox(
  run: SandboxedRun,
  { recorder, redactor, artifacts, answers, faults }: Recording,
  onPrepared?: (sandbox: Sandbox) => void,
): Promise<void> {
  const { config, runtime, signal, progress } = run;
  if (signal.aborted) throw new InterruptedError(messageOf(signal.reason));
  const sandbox = await runtime.launch({ ...run.sandbox, runId: config.run_id });
  const logging = relayLog(sandbox.stderr, (line) => progress.log(redactor.text(line)));
  try {
    await runSession({
      sandbox,
      start: { ...startParams(run), prepare_only: onPrepared !== undefined },
      bundle: run.bundle,
      record: (event) => recordWithWarnings(recorder, event, run.warnings),
      artifacts,
      answers,
      scoringLimitSeconds: run.scoringLimitSeconds,
      signal,
      onActivity: ({ kind }) => {
        if (kind === "prepared") onPrepared?.(sandbox);
      },
    });
  } finally {
    const fault = await faultOf(async () => await sandbox[Symbol.asyncDispose]());
    if (fault !== undefined) {
      faults.push(`Cannot clean up after the run: ${messageWithHint(fault)}`);
    }
    await logging;
  }
}

/** Records an event, and the warnings right after `task_started`: readers expect that one first. */
async function recordWithWarnings(
  recorder: Recording["recorder"],
  event: TranscriptEvent,
  warnings: readonly string[],
): Promise<void> {
  const recorded = [recorder.record(event)];
  if (event.type === "task_started") {
    for (const text of warnings) recorded.push(recorder.recordNew(warningEvent(text)));
  }
  await Promise.all(recorded);
}

/** The longest line of a sandbox's log that is shown, in bytes. */
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
