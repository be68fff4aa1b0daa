import { digestOf } from "../../cache/digest.ts";
import { describedConfig } from "../../schemas/described_config.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { EnvironmentDescription } from "../../schemas/task_description.ts";
import { readCached, writeCached } from "./description_cache.ts";

/** How descriptions for a config are made and kept. */
export interface ConfigDescriptionOptions {
  readonly cacheDirectory: string;
  /** The digest of the environment's bundle. */
  readonly digest: string;
  /** Describes the config's task with this config. */
  describe(config: EvaluationRunConfig): Promise<EnvironmentDescription>;
}

/**
 * Describes the task of a config as it is with it, if its description without one has read any
 * field; else returns the description as it is. What is found is kept by the fields that were read.
 */
export async function describeForConfig(
  description: EnvironmentDescription,
  given: EvaluationRunConfig,
  { cacheDirectory, digest, describe }: ConfigDescriptionOptions,
): Promise<EnvironmentDescription> {
  const config = describedConfig(given);
  const id = config.task_id;
  let fields = fieldsRead(description, id);
  if (fields.length === 0) return description;
  const keys = new Set<string>();
  // A value may decide which fields are read next: what is known under some of them says which.
  for (;;) {
    const key = keyOf(digest, config, fields);
    keys.add(key);
    const known = await readCached(cacheDirectory, key);
    if (known === undefined) break;
    const all = union(fields, fieldsRead(known, id));
    if (all.length === fields.length) return withTask(description, known, id);
    fields = all;
  }
  const found = await describe(config);
  keys.add(keyOf(digest, config, union(fields, fieldsRead(found, id))));
  for (const key of keys) await writeCached(cacheDirectory, key, found);
  return withTask(description, found, id);
}

function fieldsRead({ config_reads }: EnvironmentDescription, id: string): readonly string[] {
  return config_reads.find(({ task_id }) => task_id === id)?.fields ?? [];
}

function union(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...some, ...others])].sort();
}

function keyOf(digest: string, config: EvaluationRunConfig, fields: readonly string[]): string {
  const values = fields.map((field) => [field, Reflect.get(config, field)]);
  return `${digest}-${digestOf(JSON.stringify([config.task_id, values]))}`;
}

/** Replaces what one task's description says, and which programs of its judges are missing. */
function withTask(
  description: EnvironmentDescription,
  found: EnvironmentDescription,
  id: string,
): EnvironmentDescription {
  const replacing = found.tasks.find((task) => task.id === id);
  const missing = description.missing_programs.filter(({ task_id }) => task_id !== id);
  return {
    ...description,
    tasks: description.tasks.map((task) => task.id === id ? replacing ?? task : task),
    missing_programs: [...missing, ...found.missing_programs],
  };
}
