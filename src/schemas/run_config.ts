import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/**
 * What to run: the JSON object that `karotte run` takes. Field order here is the order in files
 * that Karotte writes; names, defaults and leniency are the Python original's, which lacks the last
 * three.
 */
export interface EvaluationRunConfig {
  /** Identity of the run: sandbox name, file names. One path component. */
  run_id: string;
  /** One of the environment's tasks. */
  task_id: string;
  /** `builtin`, `external` or a CLI agent's name; null = builtin. */
  agent: string | null;
  /** `provider/name`, or a bare Claude id. */
  model: string;
  /** A key, or `$NAME` for an environment variable; null = the provider's own variable. */
  model_api_key: string | null;
  /** For rubric judges whose task names none. */
  rubric_judge_model: string | null;
  /** A key for that model, in the same form as `model_api_key`. */
  rubric_judge_api_key: string | null;
  /** For tasks to read: Karotte only records it. */
  use_hints: boolean;
  /** `min`, `max` or one of the model's levels. */
  reasoning_effort: string | null;
  /** Model responses in the whole run. */
  turn_limit: number | null;
  /** Seconds; a list is indexed by step. */
  step_time_limit_seconds: number | number[] | null;
  /** Whether to end the run, or the step and score it. */
  on_step_time_limit: "error" | "score";
  /** Whether the student is told in each turn what is left. */
  inject_time_remaining_counter: boolean;
  /** Input tokens of the latest turn; a list is indexed by step. */
  step_context_window_limit: number | number[] | null;
  /** Whether to end the run, or the step and score it. */
  on_step_context_window_limit: "error" | "score";
  /** Whether the student is told in each turn what is left. */
  inject_context_remaining_counter: boolean;
  /** The sandbox's tool server, for agents that speak MCP. */
  mcp_server_config: McpServerConfig;
  /** Read for compatibility; Karotte opens no port. */
  websocket_config: WebsocketConfig;
  /** Absent: `out/<run_id>.json`. Null: no final file. */
  transcript_file?: string | null | undefined;
  /** Replay the environment's own messages instead of calling a model. */
  use_fake_model: boolean;
  /** Values for the environment's code, and some for Karotte. */
  extra_config: ExtraConfig | null;
  /** URL of a server that follows the run; null: none. */
  backend_uri: string | null;
  /** False: `saveArtifact` does nothing. */
  save_artifacts: boolean;
  /** The most questions of judges to models in a run; null = 1,000. */
  max_judge_questions: number | null;
  /** The most tokens, read and written, of these questions; null = 5 million. */
  max_judge_tokens: number | null;
  /** The most USD that these questions may cost; null = no limit. */
  max_judge_cost: number | null;
}

/** Where the tool server of the sandbox listens. */
export interface McpServerConfig {
  /** An address of the sandbox. */
  host: string;
  /** A port of the sandbox. */
  port: number;
  /** Adds what each call used to its result. */
  profile_tool_calls: boolean;
}

/** The address of the original's event server. */
export interface WebsocketConfig {
  /** An address of this machine. */
  host: string;
  /** A port of this machine. */
  port: number;
}

/** Keys that Karotte itself reads; all others are the environment's. */
export interface ExtraConfig {
  /** Absolute paths in the sandbox, saved as artifacts after every step. */
  extra_artifact_paths?: string | string[] | undefined;
  /** Replaces a step's instructions; a list is indexed by step. */
  task_instructions_override?: string | string[] | undefined;
  /** Appended to a step's instructions after a blank line; a list is indexed by step. */
  extra_task_instructions?: string | string[] | undefined;
  /** A value for the environment's code. */
  [key: string]: unknown;
}

const lenientInt = z.union(
  [z.number().int(), z.string().regex(/^[+-]?\d+$/).transform(Number)],
  "expected an integer",
);
const lenientFloat = z.union(
  [z.number(), z.string().regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/).transform(Number)],
  "expected a number",
);
const numberOrNumbers = z.union(
  [lenientFloat, z.array(lenientFloat)],
  "expected a number or a list of numbers",
);
const intOrInts = z.union(
  [lenientInt, z.array(lenientInt)],
  "expected an integer or a list of integers",
);
const stringOrStrings = z.union(
  [z.string(), z.array(z.string())],
  "expected a text or a list of texts",
);
const nonEmpty = z.string().min(1, "expected a text that is not empty");

const extraConfigSchema = z.looseObject({
  extra_artifact_paths: stringOrStrings.optional(),
  task_instructions_override: stringOrStrings.optional(),
  extra_task_instructions: stringOrStrings.optional(),
});

function notNegative(number: typeof lenientInt | typeof lenientFloat) {
  return number.refine((value) => value >= 0, "expected no negative number").nullable()
    .default(null);
}

const limitPolicy = z.enum(["error", "score"]);

const runConfig = z.object({
  run_id: z.string().regex(
    /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/,
    "expected letters, digits, '_', '-' and '.' only, not starting with '.' or '-'",
  ).max(128, "expected at most 128 characters").refine(
    (id) => !id.includes(".."),
    "expected no '..'",
  ),
  task_id: nonEmpty,
  agent: z.string().nullable().default(null),
  model: nonEmpty,
  model_api_key: z.string().nullable().default(null),
  rubric_judge_model: z.string().nullable().default(null),
  rubric_judge_api_key: z.string().nullable().default(null),
  use_hints: z.boolean().default(true),
  reasoning_effort: z.string().nullable().default(null),
  turn_limit: lenientInt.nullable().default(null),
  step_time_limit_seconds: numberOrNumbers.nullable().default(null),
  on_step_time_limit: limitPolicy.default("error"),
  inject_time_remaining_counter: z.boolean().default(true),
  step_context_window_limit: intOrInts.nullable().default(null),
  on_step_context_window_limit: limitPolicy.default("error"),
  inject_context_remaining_counter: z.boolean().default(true),
  mcp_server_config: z.object({
    host: z.string().default("0.0.0.0"),
    port: lenientInt.default(8080),
    profile_tool_calls: z.boolean().default(false),
  }).prefault({}),
  websocket_config: z.object({
    host: z.string().default("0.0.0.0"),
    port: lenientInt.default(8001),
  }).prefault({}),
  transcript_file: nonEmpty.nullable().optional(),
  use_fake_model: z.boolean().default(false),
  extra_config: extraConfigSchema.nullable().default(null),
  backend_uri: z.string().nullable().default(null),
  save_artifacts: z.boolean().default(true),
  max_judge_questions: notNegative(lenientInt),
  max_judge_tokens: notNegative(lenientInt),
  max_judge_cost: notNegative(lenientFloat),
});

export const runConfigSchema: z.ZodType<EvaluationRunConfig> = schemaOf<EvaluationRunConfig>()(
  runConfig,
);

/** What a config file may leave out. */
export type EvaluationRunConfigInput = z.input<typeof runConfig>;

/** Names of all fields, in the order in which they are written. */
export const RUN_CONFIG_FIELDS: readonly string[] = Object.keys(runConfig.shape);

/** The element of a scalar-or-list limit for a step; null = no limit. */
export function limitForStep(limit: number | number[] | null, step: number): number | null {
  return Array.isArray(limit) ? limit[step] ?? null : limit;
}
