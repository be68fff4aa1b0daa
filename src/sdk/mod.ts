/**
 * What authors of environments and plugins import:
 *
 * ```ts
 * import { createTask, RegexJudge } from "@karotte/cli/sdk";
 * ```
 *
 * @module
 */
export { z } from "zod";
export * from "./cli_agent.ts";
export * from "./create_task.ts";
export * from "./define_plugin.ts";
export type * from "./entry_point_values.ts";
export * from "./fake_message.ts";
export * from "./judges/mod.ts";
export * from "./misbehavior.ts";
export type * from "./plugin_command.ts";
export * from "./protected_store.ts";
export * from "./run_context.ts";
export * from "./student.ts";
export type { SubmissionLimits } from "./submission.ts";
export * from "./task.ts";
export * from "./tool.ts";
export * from "./transcript.ts";
export type * from "./update_migration.ts";
export type { HardwareLimits } from "../schemas/hardware_limits.ts";
export type { ContentPart, ImagePart, Message, TextPart, ToolCall } from "../schemas/message.ts";
export type {
  EvaluationRunConfig,
  ExtraConfig,
  McpServerConfig,
  WebsocketConfig,
} from "../schemas/run_config.ts";
export type { ResourceMetrics, ResourceSample } from "../schemas/resource_metrics.ts";
export type { JudgeUsage } from "../schemas/judge_usage.ts";
export type {
  EndedProcess,
  LeftFile,
  LeftFiles,
  LinkReport,
  ProcessReport,
} from "../schemas/step_end.ts";
export type { Scoring } from "../schemas/scoring.ts";
export type {
  LimitContract,
  LimitContracts,
  SandboxMemorySource,
  StudentLimits,
} from "../schemas/student_limits.ts";
export type { TaskDescription } from "../schemas/task_description.ts";
export type { ImageContent, TextContent, ToolContent, ToolResult } from "../schemas/tool_result.ts";
export type {
  AddedEvent,
  AnswersSubmittedEvent,
  ErrorEvent,
  EventBase,
  JudgeUsageEvent,
  MessageAddedEvent,
  ScoringEvent,
  StepCompletedEvent,
  StepLimitReached,
  StepLimitReachedEvent,
  StepStartedEvent,
  StudentLimitsEvent,
  StudentLinksEvent,
  StudentProcessesEndedEvent,
  TaskCompletedEvent,
  TaskPreHookCompletedEvent,
  TaskStartedEvent,
  TokenUsageEvent,
  ToolCallCompletedEvent,
  ToolCallStartedEvent,
  TranscriptEvent,
  WarningEvent,
} from "../schemas/transcript.ts";
export type { JudgeAnswer, JudgeQuestion, Usage } from "../protocol/turn.ts";
