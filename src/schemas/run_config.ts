import { z } from "zod";

/**
 * What to run: the JSON object that `karotte run` takes. Field order here is the order in files
 * that Karotte writes; names, defaults and leniency are the Python original's.
 */

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

/** Keys of `extra_config` that Karotte itself reads; all others are the environment's. */
const extraConfigSchema = z.looseObject({
  /** Absolute paths in the sandbox, saved as artifacts after every step. */
  extra_artifact_paths: stringOrStrings.optional(),
  /** Replaces a step's instructions; a list is indexed by step. */
  task_instructions_override: stringOrStrings.optional(),
  /** Appended to a step's instructions after a blank line; a list is indexed by step. */
  extra_task_instructions: stringOrStrings.optional(),
});

const limitPolicy = z.enum(["error", "score"]);

export const runConfigSchema = z.object({
  /** Identity of the run: sandbox name, file names. One path component. */
  run_id: z.string().regex(
    /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/,
    "expected letters, digits, '_', '-' and '.' only, not starting with '.' or '-'",
  ).max(128, "expected at most 128 characters").refine(
    (id) => !id.includes(".."),
    "expected no '..'",
  ),
  task_id: nonEmpty,
  /** `builtin`, `external` or a CLI agent's name; null = builtin. */
  agent: z.string().nullable().default(null),
  /** `provider/name`, or a bare Claude id. */
  model: nonEmpty,
  /** A key, or `$NAME` for an environment variable; null = the provider's own variable. */
  model_api_key: z.string().nullable().default(null),
  rubric_judge_model: z.string().nullable().default(null),
  rubric_judge_api_key: z.string().nullable().default(null),
  use_hints: z.boolean().default(true),
  /** `min`, `max` or one of the model's levels. */
  reasoning_effort: z.string().nullable().default(null),
  /** Model responses in the whole run. */
  turn_limit: lenientInt.nullable().default(null),
  /** Seconds; a list is indexed by step. */
  step_time_limit_seconds: numberOrNumbers.nullable().default(null),
  on_step_time_limit: limitPolicy.default("error"),
  inject_time_remaining_counter: z.boolean().default(true),
  /** Input tokens of the latest turn; a list is indexed by step. */
  step_context_window_limit: intOrInts.nullable().default(null),
  on_step_context_window_limit: limitPolicy.default("error"),
  inject_context_remaining_counter: z.boolean().default(true),
  mcp_server_config: z.object({
    host: z.string().default("0.0.0.0"),
    port: lenientInt.default(8080),
    profile_tool_calls: z.boolean().default(false),
  }).prefault({}),
  /** Read for compatibility; Karotte opens no port. */
  websocket_config: z.object({
    host: z.string().default("0.0.0.0"),
    port: lenientInt.default(8001),
  }).prefault({}),
  /** Absent: `out/<run_id>.json`. Null: no final file. */
  transcript_file: nonEmpty.nullable().optional(),
  /** Replay the environment's own messages instead of calling a model. */
  use_fake_model: z.boolean().default(false),
  extra_config: extraConfigSchema.nullable().default(null),
  backend_uri: z.string().nullable().default(null),
  save_artifacts: z.boolean().default(true),
});

export type EvaluationRunConfig = z.infer<typeof runConfigSchema>;
/** What a config file may leave out. */
export type EvaluationRunConfigInput = z.input<typeof runConfigSchema>;

/** The element of a scalar-or-list limit for a step; null = no limit. */
export function limitForStep(limit: number | number[] | null, step: number): number | null {
  return Array.isArray(limit) ? limit[step] ?? null : limit;
}
