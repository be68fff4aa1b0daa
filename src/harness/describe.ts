import { KarotteError, messageOf } from "../base/errors.ts";
import {
  type DescribeAnswer,
  type EnvironmentDescription,
  type TaskDescription,
  taskDescriptionSchema,
} from "../schemas/task_description.ts";
import { placeholderConfig, recordReads } from "../schemas/described_config.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import { publishSdk } from "../sdk/publish.ts";
import { submissionPath } from "../sdk/submission.ts";
import type { TaskClass } from "../sdk/task.ts";
import { checkJudgeKeys } from "./check_judge_keys.ts";
import { missingJudgePrograms } from "./check_judge_programs.ts";
import { loadEnvironment } from "./environment.ts";
import { judgeFolderWarnings } from "./judge_folders.ts";

const DROPPED = ["net", "run", "env", "write", "ffi", "sys", "import"] as const;

export interface DescribingOptions {
  /** Programs of judges are looked for only here: elsewhere they are not those of the sandbox. */
  readonly inImage?: boolean;
  /**
   * The config of a run: only its task is described, as it is with this config. Absent: all tasks
   * are, with configs that say nothing.
   */
  readonly config?: EvaluationRunConfig;
}

/**
 * Describes an environment's tasks without trusting it: of the process's rights only those to read
 * remain, and nobody can be asked for the others again: stdin is null.
 */
export async function describe(
  privateDirectory: string,
  options: DescribingOptions = {},
): Promise<EnvironmentDescription> {
  for (const name of DROPPED) await Deno.permissions.revoke({ name });
  return await describeBundle(privateDirectory, options);
}

/**
 * Imports the bundle in a private folder and describes what it exports, with the rights there are.
 */
export async function describeBundle(
  privateDirectory: string,
  { inImage = false, config }: DescribingOptions = {},
): Promise<EnvironmentDescription> {
  publishSdk();
  const environment = await loadEnvironment(privateDirectory);
  const described = [...environment.tasks.values()]
    .filter(({ id }) => config === undefined || id === config.task_id);
  const made = described.map((each) => makeTask(each, config));
  const missing = await Promise.all(
    made.map(async ({ task, steps }) =>
      (await missingJudgePrograms(steps, { privateDirectory, inImage }))
        .map((message) => ({ task_id: task.id, message }))
    ),
  );
  const tasks = made.map(describeTask);
  const warnings = made.flatMap(({ task, steps }) =>
    judgeFolderWarnings(steps).map((warning) => `Task "${task.id}", ${warning}`)
  );
  return {
    tasks,
    tools: [...environment.tools.keys()],
    has_fake_model: environment.fakeMessages !== undefined,
    missing_programs: missing.flat(),
    // Last: all that is read of a config is read by now.
    config_reads: made.map(({ task, reads }) => ({ task_id: task.id, fields: reads() })),
    warnings,
  };
}

/** Returns a description, or why there is none. */
export async function answerOf(
  describing: Promise<EnvironmentDescription>,
): Promise<DescribeAnswer> {
  try {
    return { description: await describing };
  } catch (error) {
    if (error instanceof KarotteError) return { failure: error.message };
    return { failure: error instanceof Error ? error.stack ?? messageOf(error) : messageOf(error) };
  }
}

/** Makes a task with a config that records what is read of it. */
function makeTask(taskClass: TaskClass, given: EvaluationRunConfig | undefined) {
  const { config, reads } = recordReads(given ?? placeholderConfig(taskClass.id));
  const task = new taskClass(config);
  return { task, steps: [...task.steps], reads };
}

function describeTask({ task, steps }: ReturnType<typeof makeTask>): TaskDescription {
  checkJudgeKeys(task.id, steps);
  return taskDescriptionSchema.parse({
    id: task.id,
    tools: [...task.tools],
    required_hardware: task.requiredHardware,
    data_mounts: [...task.dataMounts],
    submission_paths: [
      ...new Set(steps.flatMap((step) => step.submissionPaths.map(submissionPath))),
    ],
    scoring_time_limit_seconds: task.scoringTimeLimitSeconds,
  });
}
