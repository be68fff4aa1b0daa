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
export * from "./create_task.ts";
export * from "./fake_message.ts";
export * from "./judges/mod.ts";
export * from "./misbehavior.ts";
export * from "./protected_store.ts";
export * from "./run_context.ts";
export * from "./student.ts";
export * from "./task.ts";
export * from "./tool.ts";
export * from "./transcript.ts";
export type { EvaluationRunConfig } from "../schemas/run_config.ts";
export type { Scoring } from "../schemas/scoring.ts";
export type {
  ContentPart,
  Message,
  ToolCall,
  ToolResult,
  TranscriptEvent,
} from "../schemas/transcript.ts";
