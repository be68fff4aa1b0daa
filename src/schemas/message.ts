import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/** A message of the conversation, as the transcript records it. */
export interface Message {
  /** The speaker; `function` is the older form of `tool`. */
  role: "assistant" | "user" | "system" | "tool" | "function";
  /** Text, or parts of text and images; null where the model only calls tools. */
  content: string | ContentPart[] | null;
  /** What the model wants to be called; null in messages that are not the assistant's. */
  tool_calls: ToolCall[] | null;
  /** The model's thinking, where its provider shows it. */
  reasoning_content: string | null;
  /** The call that a `tool` message answers. */
  tool_call_id: string | null;
  /** Claude's own records, sent back on later turns; absent rather than null. */
  thinking_blocks?: Record<string, unknown>[] | undefined;
  /** OpenAI's own records, sent back on later turns; absent rather than null. */
  reasoning_items?: Record<string, unknown>[] | undefined;
}

/** A part of a message's content. */
export type ContentPart = TextPart | ImagePart;

/** Text, as one of several parts. */
export interface TextPart {
  /** Tells the kinds of parts apart. */
  type: "text";
  /** The text itself. */
  text: string;
}

/** An image, as a `data:` URL. */
export interface ImagePart {
  /** Tells the kinds of parts apart. */
  type: "image_url";
  /** `url` is a `data:` URL with the image in it. */
  image_url: { url: string };
}

/** A model's call of a tool. */
export interface ToolCall {
  /** Ties the call to its result; given by the model's provider. */
  id: string;
  /** `arguments` is JSON text, as models send it. */
  function: { name: string | null; arguments: string };
  /** `function`, with every provider of today. */
  type: string;
}

const contentPartSchema = schemaOf<ContentPart>()(z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]));

export const toolCallSchema: z.ZodType<ToolCall> = schemaOf<ToolCall>()(z.object({
  id: z.string(),
  function: z.object({ name: z.string().nullable(), arguments: z.string() }),
  type: z.string(),
}));

export const messageSchema: z.ZodType<Message> = schemaOf<Message>()(z.object({
  role: z.enum(["assistant", "user", "system", "tool", "function"]),
  content: z.union([z.string(), z.array(contentPartSchema)]).nullable(),
  tool_calls: z.array(toolCallSchema).nullable(),
  reasoning_content: z.string().nullable(),
  tool_call_id: z.string().nullable(),
  thinking_blocks: z.array(z.record(z.string(), z.unknown())).optional(),
  reasoning_items: z.array(z.record(z.string(), z.unknown())).optional(),
}));

/** A message with every field that transcripts have; those that are not given are null. */
export function message(fields: Pick<Message, "role"> & Partial<Message>): Message {
  return {
    content: null,
    tool_calls: null,
    reasoning_content: null,
    tool_call_id: null,
    ...fields,
  };
}
