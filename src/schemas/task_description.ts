import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/** What the host knows of a task without running its code: printed by `karotte describe`. */
export interface TaskDescription {
  /** The task's name in the environment. */
  id: string;
  /** Names of the tools that it offers to the student. */
  tools: string[];
  /** What it names, else what `default_hardware` plugins say; null: neither says any. */
  required_hardware: string | null;
  /** Mounts that the task asks for; free-form, for `container_run_args` plugins. */
  data_mounts: Record<string, unknown>[];
  /** Unique over all steps, in order. */
  submission_paths: string[];
  /** Covers `preScoringHook` and judge of each step. */
  scoring_time_limit_seconds: number;
}

export const taskDescriptionSchema: z.ZodType<TaskDescription> = schemaOf<TaskDescription>()(
  z.object({
    id: z.string().min(1).max(255),
    tools: z.array(z.string()),
    required_hardware: z.string().nullable(),
    data_mounts: z.array(z.record(z.string(), z.unknown())),
    submission_paths: z.array(z.string()),
    scoring_time_limit_seconds: z.number().positive(),
  }),
);

export const environmentDescriptionSchema = z.object({
  tasks: z.array(taskDescriptionSchema),
  /** Names of the environment's own tools. */
  tools: z.array(z.string()),
  has_fake_model: z.boolean(),
  /** Scripts and programs that judges want to run and that are not there. */
  missing_programs: z.array(z.object({ task_id: z.string(), message: z.string() })),
  /** The fields of the run config that the description of each task depends on. */
  config_reads: z.array(z.object({ task_id: z.string(), fields: z.array(z.string()) })),
  /** What the user should know although runs are possible, a sentence each. */
  warnings: z.array(z.string()),
});

export type EnvironmentDescription = z.infer<typeof environmentDescriptionSchema>;

/** What `karotte describe` prints as its last line: one of both. */
export interface DescribeAnswer {
  description?: EnvironmentDescription | undefined;
  /** Stack trace of what the environment's code threw, or a sentence of ours. */
  failure?: string | undefined;
}

export const describeAnswerSchema: z.ZodType<DescribeAnswer> = z.object({
  description: environmentDescriptionSchema.optional(),
  failure: z.string().optional(),
});
