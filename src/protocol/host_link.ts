import type { TranscriptEvent } from "../schemas/transcript.ts";
import type { Activity, ArtifactFile } from "./rpc.ts";
import type { ToolSchema } from "./tool_schema.ts";
import type { JudgeAnswer, JudgeQuestion, Turn } from "./turn.ts";

/** What the harness needs of whoever started it. */
export interface HostLink {
  /** Hands an event over in order; resolves when it is on its way, not when it is on disk. */
  record(event: TranscriptEvent): Promise<void>;
  /** Resolves when every event so far is on the host's disk. */
  recorded(): Promise<void>;
  /** Says what runs from now on. */
  activity(activity: Activity): Promise<void>;
  /** Stores one regular file of an artifact. */
  saveArtifactFile(file: ArtifactFile, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Says which tools the student has; before its first turn. */
  declareTools(tools: readonly ToolSchema[]): Promise<void>;
  /**
   * The student's next turn, of the conversation that was recorded. Rejects with a `ModelFailure` if
   * the model can't be had, and with the signal's reason.
   */
  nextTurn(options: NextTurnOptions): Promise<Turn>;
  /** A model's answer to a judge. Rejects as `nextTurn` does. */
  askJudge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer>;
  /** The last word: resolves when everything is on the host's disk. */
  finish(): Promise<void>;
}

/** What limits the wait for a turn. */
export interface NextTurnOptions {
  readonly signal: AbortSignal;
  /** Milliseconds that are left of the step; null = no limit. */
  readonly remainingMs: number | null;
}
