import type { RunStatus, TranscriptEvent } from "../../schemas/transcript.ts";

/** What the backend shows of a run without reading its events. */
export interface RunState {
  readonly status: "running" | RunStatus;
  /** That of the last step that was scored. */
  readonly score: number | null;
  /** Totals; null until the first are reported. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_write_tokens: number | null;
}

export const FIRST_STATE: RunState = {
  status: "running",
  score: null,
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
};

/** The state after an event; the same object if the backend need not be told. */
export function stateAfter(state: RunState, event: TranscriptEvent): RunState {
  switch (event.type) {
    case "task_started":
      return { ...state };
    case "token_usage":
      return {
        ...state,
        input_tokens: sum(state.input_tokens, event.input_tokens),
        output_tokens: sum(state.output_tokens, event.output_tokens),
        cache_read_tokens: sum(state.cache_read_tokens, event.cache_read_tokens),
        cache_write_tokens: sum(state.cache_write_tokens, event.cache_write_tokens),
      };
    case "scoring":
      return { ...state, score: event.scoring.score };
    case "task_completed":
      return { ...state, status: event.status };
    default:
      return state;
  }
}

function sum(total: number | null, more: number | null): number | null {
  return more === null ? total : (total ?? 0) + more;
}
