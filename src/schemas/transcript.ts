import { z } from "zod";
import { scoringSchema } from "./scoring.ts";

/** The transcript file, as the Python original writes it: every field present, `null` included. */

const functionCallSchema = z.object({ name: z.string().nullable(), arguments: z.string() });

export const toolCallSchema = z.object({
  id: z.string(),
  function: functionCallSchema,
  type: z.string(),
});

export const contentPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);

export const messageSchema = z.object({
  role: z.enum(["assistant", "user", "system", "tool", "function"]),
  content: z.union([z.string(), z.array(contentPartSchema)]).nullable(),
  tool_calls: z.array(toolCallSchema).nullable(),
  reasoning_content: z.string().nullable(),
  tool_call_id: z.string().nullable(),
  /** Claude's and OpenAI's own records, sent back on later turns; absent rather than null. */
  thinking_blocks: z.array(z.record(z.string(), z.unknown())).optional(),
  reasoning_items: z.array(z.record(z.string(), z.unknown())).optional(),
});

export const toolContentSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    annotations: z.null(),
    meta: z.null(),
  }),
  z.object({
    type: z.literal("image"),
    /** Base64; empty in a recorded event, where the tool message holds the bytes. */
    data: z.string(),
    mimeType: z.string(),
    annotations: z.null(),
    meta: z.null(),
  }),
]);

/** MCP's call-tool result. */
export const toolResultSchema = z.object({
  meta: z.null(),
  content: z.array(toolContentSchema),
  structuredContent: z.record(z.string(), z.unknown()).nullable(),
  isError: z.boolean(),
});

const resourceMetricsSchema = z.object({
  samples: z.array(z.object({
    timestamp_ms: z.number().int(),
    cpu_percent: z.number(),
    memory_mb: z.number(),
  })),
  peak_cpu_percent: z.number(),
  avg_cpu_percent: z.number(),
  peak_memory_mb: z.number(),
  avg_memory_mb: z.number(),
});

/** When the event happened: ISO 8601 in UTC. The first key of every event. */
const timestamp = z.iso.datetime();

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ timestamp, type: z.literal(type), ...shape });
}

export const taskStartedSchema = event("task_started", {
  run_id: z.string(),
  task_id: z.string(),
  model: z.string().nullable(),
  /** -1 if the number of steps is not known in advance. */
  n_steps: z.number().int(),
  reasoning_effort: z.string().nullable(),
  use_hints: z.boolean().nullable(),
});

export const eventSchema = z.discriminatedUnion("type", [
  taskStartedSchema,
  event("task_pre_hook_completed", { metadata: z.record(z.string(), z.unknown()) }),
  event("step_started", { step: z.number().int().nonnegative() }),
  event("message_added", {
    message: messageSchema,
    finish_reason: z.string().nullable(),
    raw: z.record(z.string(), z.unknown()).nullable(),
  }),
  event("tool_call_started", { tool_call: toolCallSchema }),
  event("tool_call_completed", { tool_call_id: z.string(), result: toolResultSchema }),
  event("token_usage", {
    input_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cache_read_tokens: z.number().int().nullable(),
    cache_write_tokens: z.number().int().nullable(),
    estimated: z.boolean(),
    service_tier: z.string().nullable(),
  }),
  event("answers_submitted", { answers: z.record(z.string(), z.string()) }),
  event("scoring", {
    scoring: scoringSchema,
    resource_metrics: resourceMetricsSchema.nullable(),
  }),
  event("step_completed", { step: z.number().int().nonnegative() }),
  event("warning", { message: z.string() }),
  event("error", {
    exception_type: z.string(),
    message: z.string(),
    traceback: z.string().nullable(),
  }),
  event("task_completed", { status: z.enum(["passed", "failed", "error"]) }),
]);

export const transcriptSchema = z.object({ run_id: z.string(), events: z.array(eventSchema) });

export type ToolCall = z.infer<typeof toolCallSchema>;
export type ContentPart = z.infer<typeof contentPartSchema>;
export type Message = z.infer<typeof messageSchema>;
export type ToolContent = z.infer<typeof toolContentSchema>;
export type ToolResult = z.infer<typeof toolResultSchema>;
export type TranscriptEvent = z.infer<typeof eventSchema>;
export type TranscriptEventOf<Type extends TranscriptEvent["type"]> = Extract<
  TranscriptEvent,
  { type: Type }
>;
/** An event before it got its time. */
export type NewEvent = TranscriptEvent extends infer E
  ? E extends TranscriptEvent ? Omit<E, "timestamp"> : never
  : never;
export type RunStatus = TranscriptEventOf<"task_completed">["status"];
export type TranscriptFile = z.infer<typeof transcriptSchema>;
