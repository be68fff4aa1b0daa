import { faultOf, messageOf, messageWithHint } from "../../base/errors.ts";
import { readLines } from "../../base/ndjson.ts";
import type { Runtime, Sandbox, SandboxSpec } from "../../runtimes/runtime.ts";
import type { TranscriptEvent } from "../../schemas/transcript.ts";
import type { BundleUpload } from "./bundle_upload.ts";
import { type Recording, recordRun, type RecordRunOptions, type RunOutcome } from "./recording.ts";
import { InterruptedError, runSession } from "./session.ts";
import { startParams } from "./start_params.ts";

export interface RunOnceOptions extends RecordRunOptions {
  readonly runtime: Runtime;
  /** The sandbox to start; its `runId` is the config's. */
  readonly sandbox: Omit<SandboxSpec, "runId">;
  /** See `SessionOptions`. */
  readonly bundle?: BundleUpload | undefined;
  readonly scoringLimitSeconds: number;
  /** Recorded as warning events right after the start of the task. */
  readonly warnings: readonly string[];
  /** Given: no step is run; called when all is set up, and then the sandbox is held. */
  readonly onPrepared?: ((sandbox: Sandbox) => void) | undefined;
}

/** Runs one config in one sandbox and records it, whatever happens. Throws only for bad output paths. */
export async function runOnce(options: RunOnceOptions): Promise<RunOutcome> {
  return await recordRun(options, (recording) => runInSandbox(options, recording));
}

/** Runs one config in one sandbox. Throws what ended it before its end, `InterruptedError` among it. */
export async function runInSandbox(
  options: Omit<RunOnceOptions, "outputName" | "directory" | "index">,
  { recorder, redactor, artifacts, answers, faults }: Recording,
): Promise<void> {
  const { config, runtime, signal, progress, onPrepared } = options;
  if (signal.aborted) throw new InterruptedError(messageOf(signal.reason));
  const sandbox = await runtime.launch({ ...options.sandbox, runId: config.run_id });
  const logging = relayLog(sandbox.stderr, (line) => progress.log(redactor.text(line)));
  try {
    await runSession({
      sandbox,
      start: {
        ...startParams(options),
        prepare_only: onPrepared !== undefined,
      },
      bundle: options.bundle,
      record: (event) => recordWithWarnings(recorder, event, options.warnings),
      artifacts,
      answers,
      scoringLimitSeconds: options.scoringLimitSeconds,
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

/** Readers expect `task_started` first, so what the host has to say comes right after it. */
async function recordWithWarnings(
  recorder: Recording["recorder"],
  event: TranscriptEvent,
  warnings: readonly string[],
): Promise<void> {
  const recorded = [recorder.record(event)];
  if (event.type === "task_started") {
    for (const message of warnings) recorded.push(recorder.recordNew({ type: "warning", message }));
  }
  await Promise.all(recorded);
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
