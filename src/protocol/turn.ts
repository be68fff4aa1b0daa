import { z } from "zod";
import { type Message, messageSchema } from "../schemas/message.ts";
import { schemaOf } from "../schemas/schema_of.ts";
import { type TokenUsageEvent, USAGE_FIELDS } from "../schemas/transcript.ts";

/** The reason of a turn that the provider paused: it goes on when it is asked again. */
export const PAUSED = "pause_turn";
/** The reason of a turn that ended because the conversation fills the model's context. */
export const CONTEXT_IS_FULL = "model_context_window_exceeded";
/** The most pauses in a row without a text or a call, and in one answer to a judge. */
export const MOST_PAUSES = 10;

/** One answer of what plays the assistant: a model, a script or a service. */
export interface Turn {
  message: Message;
  /**
   * The reason why it ended, in OpenAI's words, or one of the two above; null if the source has
   * none.
   */
  finish_reason: string | null;
  /** Null if the source reports none. */
  usage: Usage | null;
}

/** The fields of a `token_usage` event. */
export type Usage = Omit<TokenUsageEvent, "timestamp" | "type">;

/** A judge's question to a model: one prompt without a conversation. */
export interface JudgeQuestion {
  /** The whole prompt. The judge must fence off what the student wrote in it. */
  prompt: string;
  /** What it is about, in a line, for the transcript; nothing that the model sees. */
  criterion?: string | undefined;
  /** `provider/name`; absent: the run's `rubric_judge_model`, else the run's own model. */
  model?: string | undefined;
  /** `$NAME` of a variable on the host that holds the key; never a key. */
  api_key?: string | undefined;
  /** From 0 to 2; absent: the provider's default. Left out for models that take none. */
  temperature?: number | undefined;
  /** The most tokens of the answer and the reasoning before it; absent: the model's ceiling. */
  max_output_tokens?: number | undefined;
  /**
   * True: it follows from an unclear answer. Two of them for each other question count neither for
   * the ceiling of questions nor for that of tokens.
   */
  repeated?: boolean | undefined;
}

/** The model's answer to a judge. */
export interface JudgeAnswer {
  /** Empty if the model said nothing: it may have reasoned until it was cut off. */
  text: string;
  /**
   * The reason why it ended, in OpenAI's words: `stop`, `length`, `content_filter`; null: not told.
   */
  finish_reason: string | null;
  /** Null if the provider reports none. */
  usage: Usage | null;
  /** The id of the model that answered. */
  model: string;
}

const usageSchema = z.object(USAGE_FIELDS);

export const turnSchema: z.ZodType<Turn> = schemaOf<Turn>()(z.object({
  message: messageSchema,
  finish_reason: z.string().nullable(),
  usage: usageSchema.nullable(),
}));

export const judgeQuestionSchema: z.ZodType<JudgeQuestion> = schemaOf<JudgeQuestion>()(z.object({
  prompt: z.string(),
  criterion: z.string().optional(),
  model: z.string().min(1).max(500).optional(),
  api_key: z.string().max(500).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_output_tokens: z.number().int().positive().optional(),
  repeated: z.boolean().optional(),
}));

export const judgeAnswerSchema: z.ZodType<JudgeAnswer> = schemaOf<JudgeAnswer>()(z.object({
  text: z.string(),
  finish_reason: z.string().nullable(),
  usage: usageSchema.nullable(),
  model: z.string(),
}));
