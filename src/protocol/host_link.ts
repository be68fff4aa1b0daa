import type { TranscriptEvent } from "../schemas/transcript.ts";
import type { Activity, ArtifactFile } from "./rpc.ts";
import type { ToolSchema } from "./tool_schema.ts";
import type { JudgeAnswer, JudgeQuestion, Turn } from "./turn.ts";

/** The host as the harness sees it: over a channel, or in the same process. */
export interface HostLink {
  /** Hands an event over in order; resolves when it is on its way, not when it is on disk. */
  record(event: TranscriptEvent): Promise<void>;
  /** Resolves when every event so far is on the host's disk. */
  recorded(): Promise<void>;
  /** Says what runs from now on. */
  activity(activity: Activity): Promise<void>;
  /** Stores one regular file of an artifact. */
  saveArtifactFile(file: ArtifactFile, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Says which tools the student has. It is called before the first turn. */
  declareTools(tools: readonly ToolSchema[]): Promise<void>;
  /**
   * Asks for the student's next turn in the conversation that was recorded. Rejects with a
   * `ModelFailure` if the model gives none, and with the signal's reason.
   */
  nextTurn(options: NextTurnOptions): Promise<Turn>;
  /** Asks a model for a judge. Rejects as `nextTurn` does. */
  askJudge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer>;
  /** Ends the run, as the last call: resolves when everything is on the host's disk. */
  finish(): Promise<void>;
}

/** The limits of the wait for a turn. */
export interface NextTurnOptions {
  readonly signal: AbortSignal;
  /** Milliseconds that are left of the step; null = no limit. */
  readonly remainingMs: number | null;
}
