import type { RunStatus, TranscriptEvent } from "../../schemas/transcript.ts";
import type { RunSummary } from "../../records/run_summary.ts";

/** The state of a run that the backend shows without reading its events. */
export interface RunState {
  readonly status: "running" | RunStatus;
  /** The score of the last step that was scored. */
  readonly score: number | null;
  /** Totals; null until the first are reported. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_write_tokens: number | null;
}

/** Returns the state that the backend is to show of a run. */
export function runStateOf({ status, score, spent }: RunSummary): RunState {
  return {
    status: status ?? "running",
    score,
    input_tokens: spent?.input_tokens ?? null,
    output_tokens: spent?.output_tokens ?? null,
    cache_read_tokens: spent?.cache_read_tokens ?? null,
    cache_write_tokens: spent?.cache_write_tokens ?? null,
  };
}

/** Returns true if the backend is told of the state after such an event. */
export function isNewState({ type }: TranscriptEvent): boolean {
  return type === "task_started" || type === "token_usage" || type === "scoring" ||
    type === "task_completed";
}
