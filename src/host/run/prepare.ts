import { KarotteError } from "../../base/errors.ts";
import { logLine, warn } from "../../base/log.ts";
import type { Engine } from "../../runtimes/engine.ts";
import { containerName } from "../../runtimes/engine/labels.ts";
import type {
  Mount,
  Network,
  Runtime,
  SandboxEntrance,
  SandboxSpec,
} from "../../runtimes/runtime.ts";
import { WORK_DIRECTORY } from "../../protocol/layout.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { TaskDescription } from "../../schemas/task_description.ts";
import { bundleUpload } from "./bundle_upload.ts";
import { unstartedAgentWarning } from "../agents.ts";
import { runtimeChooser } from "../choose_runtime.ts";
import { engineArguments } from "./engine_arguments.ts";
import {
  type DescribedEnvironment,
  describeEnvironment,
} from "../environment/describe_environment.ts";
import { environmentSettings } from "../environment/environment_settings.ts";
import { type Hardware, resolveHardware } from "./hardware.ts";
import { provideImage } from "../image/provide_image.ts";
import { imageSource } from "../image/image_source.ts";
import { lastImage } from "../image/last_image.ts";
import { inParallel } from "../../base/in_parallel.ts";
import { Progress } from "./progress.ts";
import { splitRuns } from "../run_config.ts";
import { type RunOutcome, unrecorded } from "./recording.ts";
import { recordedOnDisk } from "./run_sink.ts";
import type { ModelAccess } from "../models/model_access.ts";
import { openRunModels } from "../models/run_models.ts";
import { holdSandboxed, runSandboxed } from "./sandboxed.ts";
import { runVariables } from "./variables.ts";
import type { RunPlugins } from "./run_plugins.ts";
import { sourceTree } from "../source_tree.ts";

export interface RunEvaluationOptions {
  /** As preprocessors left it. */
  readonly config: EvaluationRunConfig;
  /** How many runs of it. */
  readonly count: number;
  /** How many of them at once; absent: all. */
  readonly maxParallel?: number;
  /** Absolute path of the environment. */
  readonly directory: string;
  readonly plugins: RunPlugins;
  /** `NAME=VALUE` or `NAME`, for the sandbox. */
  readonly variables: readonly string[];
  /** Install no package: use those that are there. */
  readonly offline: boolean;
  /** How models are reached. */
  readonly access: ModelAccess;
  readonly signal: AbortSignal;
  /** Absent: chosen by Karotte. */
  readonly runtime?: string;
  readonly mounts?: readonly Mount[];
  /** Absent: none. */
  readonly network?: Network;
  /** Leave the stopped containers. */
  readonly keep?: boolean;
  /** Take the last image that was built, and send it what has changed of the environment's code. */
  readonly dev?: boolean;
  /** Given: the run is set up, this is called, and the sandbox is held until the signal. */
  readonly onPrepared?: ((entrance: SandboxEntrance) => void) | undefined;
}

/**
 * The whole way from config to recorded runs; throws before anything was started or written. Runs
 * that are only prepared have no outcomes, and throw what goes wrong.
 */
export async function runEvaluation(options: RunEvaluationOptions): Promise<RunOutcome[]> {
  const { config, count, directory, plugins, signal } = options;
  const { judgeModels } = await environmentSettings(directory);
  const prepareOnly = options.onPrepared !== undefined;
  const models = openRunModels({ ...options.access, config, judgeModels, prepareOnly, warn });
  const withheld = [...plugins.withheld, ...models.keyVariables];
  const variables = runVariables(options.variables, withheld, options.access.readVariable);
  const { ageDelayExemptions } = plugins;
  const { offline } = options;
  const chooseRuntime = runtimeChooser(options.runtime);
  const environment = await describeEnvironment({ directory, signal, offline, ageDelayExemptions });
  const task = taskOf(config, environment);
  if (!prepareOnly) checkScript(config, environment);
  const hardware = await resolveHardware(task, plugins);
  const { runtime, engine, told } = await chooseRuntime({
    image: await imageSource(directory) !== undefined,
    passthrough: hardware.passthrough ? hardware.name ?? "unnamed" : undefined,
  });
  if (engine === undefined) refuseEngineFlags(options, runtime);
  const given = await engineArguments(plugins.containerRunHooks, {
    task,
    runtime: runtime.name,
    takesArguments: engine !== undefined,
  });
  logLine(told);
  const runs = splitRuns(config, count);
  const [image] = await Promise.all([
    engine && imageFor(engine, environment, options),
    removeLeftovers(runtime, runs),
  ]);
  logLine(hardware.told);
  const { proxyUrl, isReplay } = options.access;
  if (proxyUrl !== undefined && !isReplay) logLine(`proxy for model calls: ${proxyUrl}`);
  const sandbox = {
    ...sandboxSpec(environment, hardware, options),
    ...(image ? { image: image.id, engineArguments: given.args } : {}),
  };
  const common = {
    ...{ runtime, sandbox, models, variables, signal },
    bundle: options.dev ? bundleUpload(environment.bundle) : undefined,
    scoringLimitSeconds: task.scoring_time_limit_seconds,
    warnings: [...plugins.warnings, ...given.warnings],
  };
  const { onPrepared } = options;
  if (onPrepared !== undefined) {
    const held = { ...common, config, index: 0, progress: new Progress(undefined) };
    await holdSandboxed(held, ({ entrance }) => onPrepared(entrance));
    return [];
  }
  const settled = await inParallel(
    runs,
    options.maxParallel ?? count,
    (each, index) =>
      runSandboxed({
        ...common,
        config: each,
        turnLimit: each.turn_limit,
        index,
        progress: new Progress(count === 1 ? undefined : each.run_id),
        openSink: recordedOnDisk({
          directory,
          name: count === 1 ? config.run_id : `${config.run_id}_${index}`,
        }),
      }),
  );
  if (engine && options.keep) runs.forEach(({ run_id }) => logLine(keptHint(engine, run_id)));
  return outcomesOf(settled, runs);
}

/** An image of the environment; with `--dev` the last one, and tells what of the environment it lacks. */
async function imageFor(
  engine: Engine,
  environment: DescribedEnvironment,
  { dev, directory, offline, signal }: RunEvaluationOptions,
): Promise<{ readonly id: string }> {
  if (!dev) return await provideImage({ environment, engine, offline, signal });
  const { id, changed } = await lastImage(engine, directory);
  if (changed.length > 0) {
    logLine(`dev: not picked up, changed since the image was built: ${changed.join(", ")}`);
  }
  return { id };
}

function keptHint({ command }: Engine, runId: string): string {
  return `kept: ${command.join(" ")} cp ${containerName(runId)}:${WORK_DIRECTORY}/ ./out/`;
}

/** A run that could not even be recorded does not take the others' outcomes with it. */
function outcomesOf(
  settled: readonly PromiseSettledResult<RunOutcome>[],
  runs: readonly EvaluationRunConfig[],
): RunOutcome[] {
  const [first] = settled;
  if (first?.status === "rejected" && settled.every(({ status }) => status === "rejected")) {
    throw first.reason;
  }
  return settled.map((each, index) =>
    each.status === "fulfilled" ? each.value : unrecorded(runs[index]?.run_id ?? "", each.reason)
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

function checkScript(config: EvaluationRunConfig, environment: DescribedEnvironment): void {
  if (!config.use_fake_model) return;
  if (!environment.has_fake_model) {
    throw new KarotteError("usage", "Cannot use the fake model: the environment has none", {
      hint: "export getMessages(config) from src/environment/fake_model.ts",
    });
  }
  const warning = unstartedAgentWarning(config);
  if (warning !== undefined) warn(warning);
}

function refuseEngineFlags(
  { network = "none", keep, dev }: RunEvaluationOptions,
  { name }: Runtime,
): void {
  if (dev) {
    throw new KarotteError("usage", `Cannot use --dev: "${name}" always uses the current files`, {
      hint: "leave --dev out, or name a container engine with --runtime",
    });
  }
  const flag = network !== "none" ? `--network ${network}` : keep ? "--keep-containers" : undefined;
  if (flag === undefined) return;
  throw new KarotteError("usage", `Cannot use ${flag}: "${name}" has no such thing`, {
    hint: "name a container engine with --runtime",
  });
}

/** Of runs of the same ids; `karotte clean` removes those of all. */
async function removeLeftovers(
  runtime: Runtime,
  runs: readonly EvaluationRunConfig[],
): Promise<void> {
  const removed = await runtime.removeLeftovers({ runIds: runs.map(({ run_id }) => run_id) });
  if (removed > 0) logLine(`removed what ${removed} run(s) left that were killed`);
}

/** What the sandbox may not see are the user's own things, wherever they lie. */
function sandboxSpec(
  environment: DescribedEnvironment,
  { limits }: Hardware,
  { mounts = [], network = "none", keep = false }: RunEvaluationOptions,
): Omit<SandboxSpec, "runId"> {
  const source = sourceTree();
  const { directory, cacheDirectory } = environment;
  return {
    program: environment.program.inSandbox,
    privateDirectory: environment.bundle.directory,
    environmentDirectory: directory,
    hidden: [directory, cacheDirectory, Deno.cwd(), ...(source === undefined ? [] : [source])],
    mounts,
    limits,
    network,
    keep,
  };
}
