import { KarotteError } from "../base/errors.ts";
import { logLine, warn } from "../base/log.ts";
import { bubblewrap } from "../runtimes/bubblewrap.ts";
import type { Runtime, SandboxSpec } from "../runtimes/runtime.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { TaskDescription } from "../schemas/task_description.ts";
import { type DescribedEnvironment, describeEnvironment } from "./environment.ts";
import { type Hardware, resolveHardware } from "./hardware.ts";
import { Progress } from "./progress.ts";
import { splitRuns } from "./run_config.ts";
import { runEnvironment } from "./run_environment.ts";
import { runOnce, type RunOutcome } from "./run_once.ts";
import type { RunPlugins } from "./run_plugins.ts";
import { sourceTree } from "./source_tree.ts";

export interface RunEvaluationOptions {
  /** As preprocessors left it. */
  readonly config: EvaluationRunConfig;
  /** How many runs of it, at once. */
  readonly count: number;
  /** Absolute path of the environment. */
  readonly directory: string;
  readonly plugins: RunPlugins;
  /** `NAME=VALUE` or `NAME`, for the sandbox. */
  readonly variables: readonly string[];
  /** Install no package: use those that are there. */
  readonly offline: boolean;
  /** For model calls; undefined: none. */
  readonly proxyUrl: string | undefined;
  readonly signal: AbortSignal;
  /** Absent: chosen by Karotte. */
  readonly runtime?: string;
}

/** The whole way from config to recorded runs; throws before anything was started or written. */
export async function runEvaluation(options: RunEvaluationOptions): Promise<RunOutcome[]> {
  const { config, count, directory, plugins, signal } = options;
  const secretNames = [...plugins.secretNames, ...keyVariables(config)];
  const variables = runEnvironment(options.variables, secretNames);
  const { ageDelayExemptions } = plugins;
  const { offline } = options;
  const environment = await describeEnvironment({ directory, signal, offline, ageDelayExemptions });
  const task = taskOf(config, environment);
  checkModel(config, environment);
  const hardware = await resolveHardware(task, plugins);
  const runtime = await chooseRuntime(options.runtime);
  await askContainerHooks(plugins, task, runtime);
  await removeLeftovers(runtime);
  logLine(hardware.told);
  if (options.proxyUrl !== undefined) logLine(`proxy for model calls: ${options.proxyUrl}`);
  const sandbox = sandboxSpec(environment, hardware);
  return await Promise.all(
    splitRuns(config, count).map((each, index) =>
      runOnce({
        config: each,
        outputName: count === 1 ? config.run_id : `${config.run_id}_${index}`,
        directory,
        runtime,
        sandbox,
        scoringLimitSeconds: task.scoring_time_limit_seconds,
        environment: variables,
        warnings: plugins.warnings,
        progress: new Progress(count === 1 ? undefined : each.run_id),
        signal,
      })
    ),
  );
}

/** Variables that hold a model's key: the student must not see them. */
function keyVariables(config: EvaluationRunConfig): string[] {
  return [config.model_api_key, config.rubric_judge_api_key].flatMap((key) =>
    key?.startsWith("$") ? [key.slice(1)] : []
  );
}

function taskOf(config: EvaluationRunConfig, environment: DescribedEnvironment): TaskDescription {
  const task = environment.tasks.find(({ id }) => id === config.task_id);
  if (task) return task;
  const ids = environment.tasks.map(({ id }) => `"${id}"`).join(", ") || "none";
  throw new KarotteError("usage", `Cannot run task "${config.task_id}": there is no such task`, {
    hint: `tasks of this environment: ${ids}`,
  });
}

function checkModel(config: EvaluationRunConfig, environment: DescribedEnvironment): void {
  if (!config.use_fake_model) {
    throw new KarotteError(
      "usage",
      `Cannot call model "${config.model}": this version runs scripted models only`,
      { hint: "use --fake-model to replay src/environment/fake_model.ts" },
    );
  }
  if (!environment.has_fake_model) {
    throw new KarotteError("usage", "Cannot use the fake model: the environment has none", {
      hint: "export getMessages(config) from src/environment/fake_model.ts",
    });
  }
  if (config.agent !== null && config.agent !== "builtin") {
    warn(`agent "${config.agent}" is not started: the fake model takes its place`);
  }
}

async function chooseRuntime(name: string | undefined): Promise<Runtime> {
  const runtime = bubblewrap();
  if (name !== undefined && name !== runtime.name) {
    throw new KarotteError("usage", `Cannot use runtime "${name}": there is no such runtime`, {
      hint: `runtimes: ${runtime.name}`,
    });
  }
  if (await runtime.probe()) return runtime;
  throw new KarotteError("runtime", 'Cannot use runtime "bubblewrap": bwrap is not installed', {
    hint: "install it, for example with `apt-get install bubblewrap`",
  });
}

/** Every hook is asked before anything starts, whatever the runtime: it may refuse the launch. */
async function askContainerHooks(
  { containerRunHooks }: RunPlugins,
  task: TaskDescription,
  runtime: Runtime,
): Promise<void> {
  const given = await containerRunHooks.argumentsFor(task, runtime.name);
  if (given.length === 0) return;
  const names = containerRunHooks.names.join(", ");
  warn(
    `arguments of container_run_args (${names}) have no effect: "${runtime.name}" has no engine`,
  );
}

async function removeLeftovers(runtime: Runtime): Promise<void> {
  const runs = await runtime.removeLeftovers();
  if (runs > 0) logLine(`removed what ${runs} run(s) left that were killed`);
}

/** What the sandbox may not see are the user's own things, wherever they lie. */
function sandboxSpec(
  environment: DescribedEnvironment,
  { limits }: Hardware,
): Omit<SandboxSpec, "runId"> {
  const source = sourceTree();
  const { directory, cacheDirectory } = environment;
  return {
    program: environment.program.inSandbox,
    privateDirectory: environment.bundle.directory,
    environmentDirectory: directory,
    hidden: [directory, cacheDirectory, Deno.cwd(), ...(source === undefined ? [] : [source])],
    mounts: [],
    limits,
  };
}
