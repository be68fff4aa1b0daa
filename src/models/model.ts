import type { Message } from "../schemas/message.ts";
import type { ToolSchema } from "../protocol/tool_schema.ts";
import type { Turn } from "../protocol/turn.ts";

/** A model with its key, ready to be asked. */
export interface Model {
  /** As the run config names it: `anthropic/claude-opus-5`. */
  readonly id: string;
  /**
   * One turn: whole, or a `ModelFailure`. A stream that breaks off gives no half of one. Rejects
   * with the signal's reason once it is aborted.
   */
  ask(request: ModelRequest): Promise<Turn>;
}

/** What a model is asked. */
export interface ModelRequest {
  /** The whole conversation, the system prompt first if there is one. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** Keys prompt caches. */
  readonly runId: string;
  /** One of the model's levels; null = the provider's default. */
  readonly reasoningEffort: string | null;
  /** Absent: the model's output ceiling. */
  readonly maxOutputTokens?: number;
  /** Absent: the provider's default. Left out for models that take no sampling parameters. */
  readonly temperature?: number;
  readonly signal: AbortSignal;
  /** Milliseconds after which a call that failed is not tried again; absent: no limit. */
  readonly remainingMs?: number;
}
