import type { Message } from "../../schemas/message.ts";
import type { TranscriptEventOf } from "../../schemas/transcript.ts";

/** Where the assistant's turns come from: a script, a model through the host, a backend. */
export interface TurnSource {
  /** The next turn of the conversation so far; throws what ends the run. */
  nextTurn(signal: AbortSignal): Promise<Turn>;
}

export interface Turn {
  readonly message: Message;
  /** In OpenAI's words; null if the source has none. */
  readonly finishReason: string | null;
  /** Null if the source reports none. */
  readonly usage: Usage | null;
}

export type Usage = Omit<TranscriptEventOf<"token_usage">, "timestamp" | "type">;
