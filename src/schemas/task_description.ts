import { z } from "zod";

/** A mount that a task asks for; free-form, for `container_run_args` plugins. */
const dataMountSchema = z.record(z.string(), z.unknown());

/** What the host knows of a task without running its code: printed by `karotte describe`. */
export const taskDescriptionSchema = z.object({
  id: z.string().min(1).max(255),
  tools: z.array(z.string()),
  required_hardware: z.string().nullable(),
  data_mounts: z.array(dataMountSchema),
  /** Unique over all steps, in order. */
  submission_paths: z.array(z.string()),
  /** Covers `preScoringHook` and judge of each step. */
  scoring_time_limit_seconds: z.number().positive(),
});

export const environmentDescriptionSchema = z.object({
  tasks: z.array(taskDescriptionSchema),
  /** Names of the environment's own tools. */
  tools: z.array(z.string()),
  has_fake_model: z.boolean(),
});

export type TaskDescription = z.infer<typeof taskDescriptionSchema>;
export type EnvironmentDescription = z.infer<typeof environmentDescriptionSchema>;
