import type { Spent } from "../schemas/spent.ts";
import type { RunStatus } from "../schemas/transcript.ts";
import type { RunSummary } from "./run_summary.ts";

/** A run in a line: texts are cut at 2,000 characters. */
export interface RunRow {
  /** The file's name without its ending; unlike the id it is the run's own in its folder. */
  readonly name: string;
  /** Null: the run has not come so far. */
  readonly run_id: string | null;
  /** Null: the run has not come so far. */
  readonly task_id: string | null;
  /** Null: none, or the run has not come so far. */
  readonly model: string | null;
  /** A run that has no end on record may still be going on. */
  readonly status: RunStatus | "running or killed";
  /** The score of the last step that was scored. */
  readonly score: number | null;
  /** Steps count from 0. */
  readonly step_scores: readonly { readonly step: number; readonly score: number }[];
  /** The student's tokens, at the prices that this version knows; null: none were told. */
  readonly spent: Spent | null;
  /** The tokens of the judges' questions; null: none was asked. */
  readonly judged: Spent | null;
  /** ISO 8601 in UTC. */
  readonly started: string | null;
  /** ISO 8601 in UTC. */
  readonly ended: string | null;
  /** The reason of the status `error`. */
  readonly error: { readonly type: string; readonly message: string } | null;
  /** Number of events that could be read. */
  readonly events: number;
  /** Reasons why parts of the file could not be read: the first 20. */
  readonly unreadable: readonly string[];
  readonly paths: RunPaths;
}

/** The files and folders of a run. */
export interface RunPaths {
  /** Null: the run has not ended, or no transcript was wanted. */
  readonly transcript: string | null;
  /** Null: the file is not beside the transcript. */
  readonly events: string | null;
  /** Folders of artifacts in the order of their names: those of all runs of the same id. */
  readonly artifacts: readonly string[];
}

/** Makes the row of a run that was read. */
export function rowOf(
  summary: RunSummary,
  known: Pick<RunRow, "name" | "run_id" | "events" | "unreadable" | "paths">,
): RunRow {
  const { error } = summary;
  return {
    ...known,
    run_id: cut(known.run_id),
    task_id: cut(summary.taskId),
    model: cut(summary.model),
    status: summary.status ?? "running or killed",
    score: summary.score,
    step_scores: summary.stepScores,
    spent: summary.spent,
    judged: summary.judged,
    started: summary.started,
    ended: summary.ended,
    error: error && { type: cut(error.type), message: cut(error.message) },
  };
}

/** Length of the longest text in a row, in characters: a sandbox may send any. */
const MOST_CHARS = 2000;

function cut<Text extends string | null>(text: Text): Text {
  // The cast holds: a text stays one.
  return text !== null && text.length > MOST_CHARS
    ? `${text.slice(0, MOST_CHARS - 1)}…`.toWellFormed() as Text
    : text;
}
