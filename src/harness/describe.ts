import { KarotteError, messageOf } from "../base/errors.ts";
import {
  type DescribeAnswer,
  type EnvironmentDescription,
  type TaskDescription,
  taskDescriptionSchema,
} from "../schemas/task_description.ts";
import { runConfigSchema } from "../schemas/run_config.ts";
import { publishSdk } from "../sdk/publish.ts";
import type { TaskClass } from "../sdk/task.ts";
import { checkJudgeKeys } from "./check_judge_keys.ts";
import { type Environment, loadEnvironment } from "./environment.ts";

const DROPPED = ["net", "run", "env", "write", "ffi", "sys", "import"] as const;

/**
 * Describes the environment whose bundle lies in a folder without trusting it: its code can read
 * this folder and do nothing else, and nobody can be asked for more: stdin is null. The process has
 * to have no more than that right to read already; the rest is given up for good here.
 */
export async function describe(privateDirectory: string): Promise<DescribeAnswer> {
  for (const name of DROPPED) await Deno.permissions.revoke({ name });
  return await describeWithRightsLeft(privateDirectory);
}

/** Imports the bundle in a folder and describes what it exports, with the rights there are. */
export async function describeWithRightsLeft(privateDirectory: string): Promise<DescribeAnswer> {
  try {
    publishSdk();
    return { description: describeAll(await loadEnvironment(privateDirectory)) };
  } catch (error) {
    if (error instanceof KarotteError) return { failure: error.message };
    return { failure: error instanceof Error ? error.stack ?? messageOf(error) : messageOf(error) };
  }
}

function describeAll(environment: Environment): EnvironmentDescription {
  return {
    tasks: [...environment.tasks.values()].map(describeTask),
    tools: [...environment.tools.keys()],
    has_fake_model: environment.fakeMessages !== undefined,
  };
}

/** Tasks are built with a config that says nothing; what depends on a real one is not described. */
function describeTask(taskClass: TaskClass): TaskDescription {
  const config = runConfigSchema.parse({
    run_id: "describe",
    task_id: taskClass.id,
    model: "none",
  });
  const task = new taskClass(config);
  const steps = [...task.steps];
  checkJudgeKeys(task.id, steps);
  return taskDescriptionSchema.parse({
    id: task.id,
    tools: [...task.tools],
    required_hardware: task.requiredHardware,
    data_mounts: [...task.dataMounts],
    submission_paths: [...new Set(steps.flatMap((step) => [...step.submissionPaths]))],
    scoring_time_limit_seconds: task.scoringTimeLimitSeconds,
  });
}
