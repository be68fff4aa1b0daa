import { type EvaluationRunConfig, runConfigSchema } from "./run_config.ts";

/** Flag of `karotte describe`: the config of a run is on stdin, and only its task is described. */
export const DESCRIBE_WITH_CONFIG = "--with-config";

/**
 * The fields that no description may depend on, with what tasks find there while they are
 * described: keys, and what differs from run to run or lies on the host.
 */
const WITHHELD = {
  run_id: "describe",
  model_api_key: null,
  rubric_judge_api_key: null,
  backend_uri: null,
} satisfies Partial<EvaluationRunConfig>;

/** Returns a run config that says nothing but which task it is for. */
export function placeholderConfig(taskId: string): EvaluationRunConfig {
  return runConfigSchema.parse({ ...WITHHELD, task_id: taskId, model: "none" });
}

/** Returns what of a run's config its task may see while it is described. */
export function describedConfig(config: EvaluationRunConfig): EvaluationRunConfig {
  const { transcript_file: _path, ...rest } = config;
  return { ...rest, ...WITHHELD };
}

/** A config, and which of its fields were read that can differ between two runs of a task. */
export interface RecordedConfig {
  readonly config: EvaluationRunConfig;
  /** Returns the names of the fields that were read so far, sorted. */
  reads(): string[];
}

/**
 * Returns a copy that records which fields are read. It has accessors, and is no `Proxy`, so that
 * the environment's code may clone it as it may clone any config.
 */
export function recordReads(config: EvaluationRunConfig): RecordedConfig {
  const read = new Set<string>();
  const values = new Map(Object.entries(structuredClone(config)));
  const recorded = {};
  for (const field of values.keys()) {
    const isTheSame = field === "task_id" || Object.hasOwn(WITHHELD, field);
    Object.defineProperty(recorded, field, {
      enumerable: true,
      configurable: true,
      get() {
        if (!isTheSame) read.add(field);
        return values.get(field);
      },
      set(value: unknown) {
        values.set(field, value);
      },
    });
  }
  // Each field of the config is there, with the value it has in it.
  return { config: recorded as EvaluationRunConfig, reads: () => [...read].sort() };
}
