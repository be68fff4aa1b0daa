import { cacheDirectory } from "../../cache/cache_directory.ts";
import { bundleEnvironment, type EnvironmentBundle } from "../../loader/environment_bundle.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { EnvironmentDescription } from "../../schemas/task_description.ts";
import { describeForConfig } from "./describe_for_config.ts";
import { describeInChild } from "./describing_child.ts";
import { readCached, writeCached } from "./description_cache.ts";
import { type HarnessProgram, harnessProgram } from "./harness_program.ts";

/** An environment with its bundle and what is in it. */
export interface DescribedEnvironment extends EnvironmentDescription {
  /** Absolute path of the environment. */
  readonly directory: string;
  readonly bundle: EnvironmentBundle;
  readonly program: HarnessProgram;
  readonly cacheDirectory: string;
}

export interface DescribeOptions {
  /** Absolute path of the environment. */
  readonly directory: string;
  readonly signal?: AbortSignal;
  /** Whether no package is installed: those that are there are used. */
  readonly offline?: boolean;
  /** Whether the environment's `.npmrc` is as good as the user's own. */
  readonly trustsNpmrc?: boolean;
  /** Packages that may be younger than the age delay. */
  readonly ageDelayExemptions?: readonly string[];
  /** The hardware of tasks that name none; absent: null stays. */
  readonly defaultHardware?: string | undefined;
  /** The config of a run: its task is described as it is with it; absent: without any. */
  readonly config?: EvaluationRunConfig;
}

/**
 * Bundles an environment and describes its tasks. Its code runs only in a child process without
 * rights; the description is cached by the bundle's digest, and by what a task reads of the config
 * of its run. Throws a usage error that shows the cause.
 */
export async function describeEnvironment(
  { directory, signal, offline = false, trustsNpmrc = false, ageDelayExemptions = [], ...rest }:
    DescribeOptions,
): Promise<DescribedEnvironment> {
  const cache = cacheDirectory();
  const program = await harnessProgram(cache);
  const bundle = await bundleEnvironment({
    directory,
    cacheDirectory: cache,
    offline,
    trustsNpmrc,
    ageDelayExemptions,
    ...(signal ? { signal } : {}),
  });
  let description = await readCached(cache, bundle.digest);
  if (!description) {
    description = await describeInChild({ bundle, program, signal });
    await writeCached(cache, bundle.digest, description);
  }
  if (rest.config !== undefined) {
    description = await describeForConfig(description, rest.config, {
      cacheDirectory: cache,
      digest: bundle.digest,
      describe: (config) => describeInChild({ bundle, program, config, signal }),
    });
  }
  const tasks = description.tasks.map((task) => ({
    ...task,
    required_hardware: task.required_hardware ?? rest.defaultHardware ?? null,
  }));
  return { ...description, tasks, directory, bundle, program, cacheDirectory: cache };
}
