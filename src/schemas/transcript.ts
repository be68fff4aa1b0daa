import { z } from "zod";
import { JUDGE_USAGE_FIELDS, type JudgeUsage } from "./judge_usage.ts";
import { type Message, messageSchema, type ToolCall, toolCallSchema } from "./message.ts";
import { type ResourceMetrics, resourceMetricsSchema } from "./resource_metrics.ts";
import { schemaOf } from "./schema_of.ts";
import { type Scoring, scoringSchema } from "./scoring.ts";
import { LINK_REPORT, type LinkReport, PROCESS_REPORT, type ProcessReport } from "./step_end.ts";
import { type ToolResult, toolResultSchema } from "./tool_result.ts";
import { STUDENT_LIMITS, type StudentLimits } from "./student_limits.ts";

/** The transcript file, as the Python original writes it: every field present, `null` included. */
export interface TranscriptFile {
  run_id: string;
  events: TranscriptEvent[];
}

/** Types of the events that the Python original has too. */
export const ORIGINAL_EVENT_TYPES = [
  "task_started",
  "task_pre_hook_completed",
  "step_started",
  "message_added",
  "tool_call_started",
  "tool_call_completed",
  "token_usage",
  "answers_submitted",
  "scoring",
  "step_completed",
  "error",
  "task_completed",
] as const;
type OriginalEventType = typeof ORIGINAL_EVENT_TYPES[number];

/** What every event has. */
export interface EventBase {
  /** When it happened: ISO 8601 in UTC. The first key of every event. */
  timestamp: string;
}

/** The first event of a run. */
export interface TaskStartedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "task_started";
  /** The id of the run config. */
  run_id: string;
  /** The id of the task that is run. */
  task_id: string;
  /** The student's model; null: none. */
  model: string | null;
  /** -1 if the number of steps is not known in advance. */
  n_steps: number;
  /** What the model was asked for. */
  reasoning_effort: string | null;
  /** The run config's wish; Karotte only records it. */
  use_hints: boolean | null;
}

/** The end of the task's `preHook`. */
export interface TaskPreHookCompletedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "task_pre_hook_completed";
  /** What `preHook` returned. */
  metadata: Record<string, unknown>;
}

/** The start of a step. */
export interface StepStartedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "step_started";
  /** Counts from 0. */
  step: number;
}

/** A message of the conversation, whoever wrote it. */
export interface MessageAddedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "message_added";
  /** The message, as models are sent it. */
  message: Message;
  /** Why the model stopped: `stop`, `length`, `tool_calls`, `content_filter`, `function_call`. */
  finish_reason: string | null;
  /** What an agent's own record says besides. */
  raw: Record<string, unknown> | null;
}

/** The start of a tool call. */
export interface ToolCallStartedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "tool_call_started";
  /** The call, as the model wrote it. */
  tool_call: ToolCall;
}

/** The end of a tool call. */
export interface ToolCallCompletedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "tool_call_completed";
  /** The `id` of the call. */
  tool_call_id: string;
  /** The result, as the tool gave it; without the bytes of images. */
  result: ToolResult;
}

/** What one answer of the model took. */
export interface TokenUsageEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "token_usage";
  /** All tokens that were read, those from a cache and those written to one included. */
  input_tokens: number;
  /** Tokens that the model wrote, thinking included. */
  output_tokens: number;
  /** Part of `input_tokens`; null: the provider did not tell. */
  cache_read_tokens: number | null;
  /** Part of `input_tokens`; null: the provider did not tell. */
  cache_write_tokens: number | null;
  /** Counted by Karotte, since the provider did not say. */
  estimated: boolean;
  /** The provider's word for the priority of the call; null: it did not tell. */
  service_tier: string | null;
}

/** Answers that a tool submitted for the student. */
export interface AnswersSubmittedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "answers_submitted";
  /** Values by name; a later one of the same name wins. */
  answers: Record<string, string>;
}

/** The verdict of a step's judge. */
export interface ScoringEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "scoring";
  /** Score, metadata, and whether the run goes on. */
  scoring: Scoring;
  /** What the step used; null if it was not measured. */
  resource_metrics: ResourceMetrics | null;
}

/** The end of a step, after its `postHook`. */
export interface StepCompletedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "step_completed";
  /** Counts from 0. */
  step: number;
}

/**
 * An event of a type that the original lacks. It has `metadata` and no other field: readers of the
 * original know any event of that form, and refuse the whole file for one of another.
 */
export interface AddedEvent<Type extends string, Metadata extends object> extends EventBase {
  /** Tells the kinds of events apart. */
  type: Type;
  /** All that the event says. */
  metadata: Metadata;
}

/** Something that the user should know, and that does not end the run. */
export type WarningEvent = AddedEvent<"warning", {
  /** A sentence or two. */
  warning: string;
}>;

/** A question that a judge asked a model. Recorded by the host, which asked it. */
export type JudgeUsageEvent = AddedEvent<"judge_usage", JudgeUsage>;

/** A limit that ended a step, before the step is scored or the run ends with an error. */
export type StepLimitReachedEvent = AddedEvent<"step_limit_reached", StepLimitReached>;

/** What is told of a limit that ended a step. */
export interface StepLimitReached {
  /** The step, from 0. */
  step: number;
  /** The limit of the run config that ended it; `context` may also be the model's own. */
  limit: "time" | "context" | "turns";
  /** The unit of the three numbers. */
  unit: "seconds" | "tokens" | "turns";
  /** The limit; null: the config has none, and the model refused by itself. */
  allowed: number | null;
  /** What was used when the step ended; null: nobody knows. */
  used: number | null;
  /** How much more than the limit that is; null: nobody knows. */
  overrun: number | null;
  /** Whether the step is scored as it is, or the run ends with an error. */
  outcome: "score" | "error";
  /** Who stopped it, and why; null: Karotte, since the limit was reached. */
  reason: string | null;
}

/** The end of the processes that the student left, before its step is scored. */
export type StudentProcessesEndedEvent = AddedEvent<"student_processes_ended", ProcessReport>;

/** What the walk over the student's files found, if it is worth a word. */
export type StudentLinksEvent = AddedEvent<"student_links", LinkReport>;

/** The limits that the student is to have, right after the start of the task. */
export type StudentLimitsEvent = AddedEvent<"student_limits", StudentLimits>;

/** Why the run ends with status `error`. */
export interface ErrorEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "error";
  /** The name of the error's class. */
  exception_type: string;
  /** The error's own message. */
  message: string;
  /** The error's stack; null: none is known. */
  traceback: string | null;
}

/** The last event of every run. */
export interface TaskCompletedEvent extends EventBase {
  /** Tells the kinds of events apart. */
  type: "task_completed";
  /** `passed`: every step let the run go on; `failed`: a judge ended it; `error`: it broke. */
  status: "passed" | "failed" | "error";
}

/** Anything that a transcript records; `type` tells which. */
export type TranscriptEvent =
  | TaskStartedEvent
  | TaskPreHookCompletedEvent
  | StepStartedEvent
  | MessageAddedEvent
  | ToolCallStartedEvent
  | ToolCallCompletedEvent
  | TokenUsageEvent
  | AnswersSubmittedEvent
  | ScoringEvent
  | StepCompletedEvent
  | WarningEvent
  | JudgeUsageEvent
  | StepLimitReachedEvent
  | StudentProcessesEndedEvent
  | StudentLinksEvent
  | StudentLimitsEvent
  | ErrorEvent
  | TaskCompletedEvent;

export type TranscriptEventOf<Type extends TranscriptEvent["type"]> = Extract<
  TranscriptEvent,
  { type: Type }
>;
/** An event before it got its time. */
export type NewEvent = TranscriptEvent extends infer E
  ? E extends TranscriptEvent ? Omit<E, "timestamp"> : never
  : never;
export type RunStatus = TranscriptEventOf<"task_completed">["status"];

/** Tells whether the original has no events of this type. */
export function isAddedType(type: TranscriptEvent["type"]): boolean {
  return !ORIGINAL_EVENT_TYPES.some((original) => original === type);
}

/** Makes a warning. */
export function warningEvent(warning: string): Omit<WarningEvent, "timestamp"> {
  return { type: "warning", metadata: { warning } };
}

const timestamp = z.iso.datetime();

function event<Type extends OriginalEventType, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
) {
  return z.object({ timestamp, type: z.literal(type), ...shape });
}

/** The only way to make the schema of an event type that the original lacks. */
function addedEvent<Type extends string, Shape extends z.ZodRawShape>(
  type: Type extends OriginalEventType ? never : Type,
  metadata: Shape,
) {
  return z.object({ timestamp, type: z.literal(type), metadata: z.object(metadata) });
}

type UsageFields = Omit<TokenUsageEvent, keyof EventBase | "type">;
type UsageSchemas = { readonly [Name in keyof UsageFields]: z.ZodType<UsageFields[Name]> };

/** What a `token_usage` event says, and a turn of its usage. */
export const USAGE_FIELDS: UsageSchemas = {
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cache_read_tokens: z.number().int().nullable(),
  cache_write_tokens: z.number().int().nullable(),
  estimated: z.boolean(),
  service_tier: z.string().nullable(),
};

export const eventSchema: z.ZodType<TranscriptEvent> = schemaOf<TranscriptEvent>()(
  z.discriminatedUnion("type", [
    event("task_started", {
      run_id: z.string(),
      task_id: z.string(),
      model: z.string().nullable(),
      n_steps: z.number().int(),
      reasoning_effort: z.string().nullable(),
      use_hints: z.boolean().nullable(),
    }),
    // In the original's order, which is not that of the others.
    z.object({
      timestamp,
      metadata: z.record(z.string(), z.unknown()),
      type: z.literal("task_pre_hook_completed"),
    }),
    event("step_started", { step: z.number().int().nonnegative() }),
    event("message_added", {
      message: messageSchema,
      finish_reason: z.string().nullable(),
      raw: z.record(z.string(), z.unknown()).nullable(),
    }),
    event("tool_call_started", { tool_call: toolCallSchema }),
    event("tool_call_completed", { tool_call_id: z.string(), result: toolResultSchema }),
    event("token_usage", USAGE_FIELDS),
    event("answers_submitted", { answers: z.record(z.string(), z.string()) }),
    event("scoring", {
      scoring: scoringSchema,
      resource_metrics: resourceMetricsSchema.nullable(),
    }),
    event("step_completed", { step: z.number().int().nonnegative() }),
    addedEvent("warning", { warning: z.string() }),
    addedEvent("judge_usage", JUDGE_USAGE_FIELDS),
    addedEvent("step_limit_reached", {
      step: z.number().int().nonnegative(),
      limit: z.enum(["time", "context", "turns"]),
      unit: z.enum(["seconds", "tokens", "turns"]),
      allowed: z.number().nullable(),
      used: z.number().nullable(),
      overrun: z.number().nullable(),
      outcome: z.enum(["score", "error"]),
      reason: z.string().nullable(),
    }),
    addedEvent("student_processes_ended", PROCESS_REPORT),
    addedEvent("student_links", LINK_REPORT),
    addedEvent("student_limits", STUDENT_LIMITS),
    event("error", {
      exception_type: z.string(),
      message: z.string(),
      traceback: z.string().nullable(),
    }),
    event("task_completed", { status: z.enum(["passed", "failed", "error"]) }),
  ]),
);

export const transcriptSchema: z.ZodType<TranscriptFile> = schemaOf<TranscriptFile>()(
  z.object({ run_id: z.string(), events: z.array(eventSchema) }),
);
