import { faultOf, messageWithHint } from "../../base/errors.ts";
import { ArtifactStore } from "../../records/artifact_store.ts";
import { claimOutputFiles } from "../../records/output_files.ts";
import { Recorder } from "../../records/recorder.ts";
import type { Redactor } from "../../records/redactor.ts";
import type { RunSummary } from "../../records/run_summary.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import { type TranscriptEvent, warningEvent } from "../../schemas/transcript.ts";
import { type Backend, openBackend } from "../backend/backend.ts";
import { SandboxDiedError } from "./session.ts";

/** Where a run leaves what it says. Dispose of it when the run is over. */
export interface RunSink extends AsyncDisposable {
  readonly recorder: Pick<Recorder, "record" | "recordNew">;
  readonly artifacts: Pick<ArtifactStore, "open">;
  /** Where the turns of agent `external` come from; undefined without a backend. */
  external(): ReturnType<Backend["external"]> | undefined;
  /**
   * Takes how the run ended, `failure` being what ended it before its end, and says what is left of
   * it. Never throws: what goes wrong is added to `faults`.
   */
  finish(failure: unknown, faults: string[]): Promise<RecordPaths>;
}

/** Where the records of a run are. */
export interface RecordPaths {
  /** Null if none was wanted or it could not be written. */
  readonly transcriptPath: string | null;
  /** Undefined: nothing could be recorded. */
  readonly eventsPath: string | undefined;
  /** The folder of the run's artifacts; undefined if there are none. */
  readonly artifactsPath: string | undefined;
}

/** The paths of a run that left no record. */
export const NO_PATHS: RecordPaths = {
  transcriptPath: null,
  eventsPath: undefined,
  artifactsPath: undefined,
};

export interface SinkOptions {
  readonly config: EvaluationRunConfig;
  readonly redactor: Redactor;
  /** Gets each event. */
  readonly summary: RunSummary;
  /** Sees each event as it comes, without secrets. */
  onEvent(event: TranscriptEvent): void;
  /** Shows a line to the user. */
  note(line: string): void;
  /** The user's interrupt. */
  readonly signal: AbortSignal;
}

/** Opens the sink of one run. Throws a usage error for what its config can't have. */
export type OpenRunSink = (options: SinkOptions) => Promise<RunSink>;

/** Records runs in files, and sends them to their backend. */
export function recordedOnDisk(place: {
  /** Where relative output paths start. */
  readonly directory: string;
  /** Names the files in `out/` where the config names none. */
  readonly name: string;
}): OpenRunSink {
  return async ({ config, redactor, summary, onEvent, note, signal }) => {
    const files = await claimOutputFiles(config, place);
    const { eventsPath } = files;
    const backend = openBackend(config, { eventsPath, warn: note, signal });
    const recorder = new Recorder(config.run_id, files, {
      redactor,
      summary,
      onEvent,
      onWritten: () => backend?.stream.wake(),
    });
    const artifacts = new ArtifactStore(files.directory, config.run_id, {
      // What can't be recorded is told by the next event, and by the end of the run.
      warn: (text) => void recorder.recordNew(warningEvent(text)).catch(() => {}),
    });
    return {
      recorder,
      artifacts,
      external: () => backend?.external(),
      async finish(failure, faults) {
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
        const artifactsPath = await artifacts.folder;
        if (artifactsPath !== undefined) await backend?.uploadArtifacts(artifactsPath);
        return { transcriptPath, eventsPath, artifactsPath };
      },
      async [Symbol.asyncDispose]() {
        recorder[Symbol.dispose]();
        await backend?.[Symbol.asyncDispose]();
      },
    };
  };
}

/** Shows what runs say and keeps nothing: no file is written, and no backend is told. */
export const seenOnly: OpenRunSink = ({ redactor, summary, onEvent }) => {
  const record = (received: TranscriptEvent) => {
    const event = redactor.json(received);
    summary.add(event);
    onEvent(event);
    return Promise.resolve();
  };
  return Promise.resolve({
    recorder: {
      record,
      recordNew: (event) => record({ timestamp: new Date().toISOString(), ...event }),
    },
    artifacts: { open: () => Promise.reject(new Error("nothing is kept of a run without steps")) },
    external: () => undefined,
    finish: () => Promise.resolve(NO_PATHS),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
};

/** Ends the transcript of a run whose harness could not. */
async function recordFailure(recorder: Recorder, failure: unknown): Promise<void> {
  if (recorder.summary.status !== null) return; // it had ended before things went wrong
  if (failure instanceof SandboxDiedError && failure.exhausted && isInStudentsTurn(failure)) {
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

function isInStudentsTurn({ activity }: SandboxDiedError): boolean {
  return activity.kind === "turn" || activity.kind === "tool";
}
