import { basename, dirname, join } from "@std/path";
import { KarotteError, messageOf } from "../base/errors.ts";
import { modelSpec } from "../models/catalog/model_spec_of.ts";
import {
  EVENTS_SUFFIX,
  type RunFileName,
  runFileName,
  runIdOfArtifactFolder,
  TRANSCRIPT_SUFFIX,
} from "./file_names.ts";
import {
  MOST_EVENT_BYTES,
  openRecord,
  readEventLines,
  readTranscript,
  type RecordedEvent,
} from "./recorded_events.ts";
import { rowOf, type RunRow } from "./run_row.ts";
import { type PriceOf, RunSummary } from "./run_summary.ts";

/** A run that was read. */
export interface RecordedRun {
  readonly kind: "run";
  readonly row: RunRow;
  /** Reads the events from the file anew; holds one at a time. */
  events(): AsyncGenerator<RecordedEvent>;
}

/** A file that has a run's name and is no record of one. */
export interface UnreadableRun {
  readonly kind: "unreadable";
  readonly path: string;
  readonly reason: string;
}

export interface ReadRunOptions {
  /** Bytes of the largest event that is read; absent: 64 MiB. */
  readonly maxEventBytes?: number;
  /** Absent: what the catalog of models says. */
  readonly priceOf?: PriceOf;
}

/**
 * Yields the runs of a folder by their files' names: those that ended from their transcripts, the
 * others from their events. Of a transcript that can't be read the events are read too. Files with
 * other names are passed over. Throws a usage error if the folder can't be read.
 */
export async function* listRuns(
  directory: string,
  options: ReadRunOptions = {},
): AsyncGenerator<RecordedRun | UnreadableRun> {
  const folder = await readFolder(directory);
  for (const name of [...folder.files].sort()) {
    const file = runFileName(name);
    if (file === undefined) continue;
    const events = file.stem + EVENTS_SUFFIX;
    if (file.kind === "events" && folder.files.has(file.stem + TRANSCRIPT_SUFFIX)) continue;
    const run = await readFrom(folder, name, options);
    yield run;
    if (run.kind === "unreadable" && file.kind === "transcript" && folder.files.has(events)) {
      yield await readFrom(folder, events, options);
    }
  }
}

/**
 * Reads a run from its transcript, or from its events: the path's ending tells which. Whatever is
 * in the file is a value; no link is followed. Memory is bounded by the largest event. Throws a
 * usage error if the file's folder can't be read.
 */
export async function readRun(
  path: string,
  options: ReadRunOptions = {},
): Promise<RecordedRun | UnreadableRun> {
  return await readFrom(await readFolder(dirname(path)), basename(path), options);
}

async function readFrom(
  folder: RunFolder,
  name: string,
  options: ReadRunOptions,
): Promise<RecordedRun | UnreadableRun> {
  const path = join(folder.path, name);
  const unreadable = (reason: string): UnreadableRun => ({ kind: "unreadable", path, reason });
  const file = runFileName(name);
  if (file === undefined) {
    return unreadable(`its name ends in neither ${TRANSCRIPT_SUFFIX} nor ${EVENTS_SUFFIX}`);
  }
  const opened = await openRecord(path);
  if (opened.file === undefined) return unreadable(opened.reason);
  const maxBytes = options.maxEventBytes ?? MOST_EVENT_BYTES;
  const summary = new RunSummary(options.priceOf ?? catalogPrice);
  const found = await summarize(entriesOf(opened.file, file.kind, maxBytes), summary);
  const [reason] = found.reasons;
  // A run that was killed at its first event leaves half a line; nothing else is cut off so early.
  const hasBegun = file.kind === "events" && found.isCutOff && found.reasons.length === 1;
  if (found.count === 0 && reason !== undefined && !hasBegun) return unreadable(reason);
  const runId = found.runId ?? summary.runId;
  const row = rowOf(summary, {
    name: file.stem,
    run_id: runId,
    events: found.count,
    unreadable: found.reasons,
    paths: pathsIn(folder, file.stem, runId),
  });
  return { kind: "run", row, events: () => entriesAt(path, file.kind, maxBytes) };
}

async function* entriesAt(
  path: string,
  kind: RunFileName["kind"],
  maxBytes: number,
): AsyncGenerator<RecordedEvent> {
  const { file, reason } = await openRecord(path);
  if (file === undefined) yield { kind: "cut_off", reason };
  else yield* entriesOf(file, kind, maxBytes);
}

/** Yields the entries of an open file, and closes it. */
async function* entriesOf(
  file: Deno.FsFile,
  kind: RunFileName["kind"],
  maxBytes: number,
): AsyncGenerator<RecordedEvent> {
  using _ = file;
  yield* kind === "transcript" ? readTranscript(file, maxBytes) : readEventLines(file, maxBytes);
}

/** Number of reasons that are kept of a file: all its lines may be bad. */
const MOST_REASONS = 20;

async function summarize(entries: AsyncGenerator<RecordedEvent>, summary: RunSummary) {
  const reasons: string[] = [];
  let count = 0;
  let isCutOff = false;
  let runId: string | undefined;
  for await (const entry of entries) {
    if (entry.kind === "event") {
      summary.add(entry.event);
      count++;
    } else if (entry.kind === "run_id") runId ??= entry.runId;
    else {
      if (reasons.length < MOST_REASONS) reasons.push(entry.reason);
      isCutOff ||= entry.kind === "cut_off";
    }
  }
  return { reasons, count, isCutOff, runId };
}

/** The entries of a folder that may belong to runs. */
interface RunFolder {
  readonly path: string;
  /** Names of everything but folders. */
  readonly files: ReadonlySet<string>;
  /** Names of the artifact folders of each run's id, in order. */
  readonly artifacts: ReadonlyMap<string, readonly string[]>;
}

async function readFolder(path: string): Promise<RunFolder> {
  const files = new Set<string>();
  const folders: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      if (isDirectory) folders.push(name);
      else files.add(name);
    }
  } catch (error) {
    throw new KarotteError("usage", `Cannot read the runs in "${path}": ${messageOf(error)}`, {
      cause: error,
    });
  }
  const artifacts = Map.groupBy(folders.sort(), (name) => runIdOfArtifactFolder(name) ?? "");
  return { path, files, artifacts };
}

function pathsIn({ path, files, artifacts }: RunFolder, stem: string, runId: string | null) {
  const pathOf = (name: string) => files.has(name) ? join(path, name) : null;
  return {
    transcript: pathOf(stem + TRANSCRIPT_SUFFIX),
    events: pathOf(stem + EVENTS_SUFFIX),
    artifacts: (runId && artifacts.get(runId) || []).map((name) => join(path, name)),
  };
}

/** Length of the longest name of a model that is looked up, in characters. */
const MOST_MODEL_CHARS = 500;

function catalogPrice(model: string | null) {
  return model === null || model.length > MOST_MODEL_CHARS ? null : modelSpec(model).price;
}
