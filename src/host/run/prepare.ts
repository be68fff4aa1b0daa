import { KarotteError } from "../../base/errors.ts";
import { hideProcess } from "../../base/protect_process.ts";
import { logLine, warn } from "../../base/log.ts";
import type { Runtime, SandboxContent, SandboxShell, SandboxSpec } from "../../runtimes/runtime.ts";
import type { SandboxWishes } from "../../runtimes/wishes.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { TaskDescription } from "../../schemas/task_description.ts";
import { bundleUpload } from "./bundle_upload.ts";
import { unstartedAgentWarning } from "../agents.ts";
import { runtimeChooser } from "../choose_runtime.ts";
import {
  type DescribedEnvironment,
  describeEnvironment,
} from "../environment/describe_environment.ts";
import { environmentSettings } from "../environment/environment_settings.ts";
import { guardsOff } from "./guards_off.ts";
import { resolveHardware } from "./hardware.ts";
import { provideImage } from "../image/provide_image.ts";
import { type ImageSource, imageSource, sourceName } from "../image/image_source.ts";
import { lastImage } from "../image/last_image.ts";
import { inParallel } from "../../base/in_parallel.ts";
import { Progress } from "./progress.ts";
import { splitRuns } from "../run_config.ts";
import { type RunOutcome, unrecorded } from "./recording.ts";
import { recordedOnDisk } from "./run_sink.ts";
import type { ModelAccess } from "../models/model_access.ts";
import { openRunModels } from "../models/run_models.ts";
import { runtimeArguments } from "./runtime_arguments.ts";
import { holdSandboxed, runSandboxed } from "./sandboxed.ts";
import { sandboxLimits } from "./sandbox_limits.ts";
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
  /** Whether the environment's `.npmrc` is as good as the user's own. */
  readonly trustsNpmrc: boolean;
  /** How models are reached. */
  readonly access: ModelAccess;
  readonly signal: AbortSignal;
  /** What the user wishes of the sandbox. */
  readonly wishes: SandboxWishes;
  /** Called where the run is only prepared: it is, and the sandbox is held until the signal. */
  onPrepared(shell: SandboxShell): void;
}

/**
 * The whole way from config to recorded runs; throws before anything was started or written. Runs
 * that are only prepared have no outcomes, and throw what goes wrong.
 */
export async function runEvaluation(options: RunEvaluationOptions): Promise<RunOutcome[]> {
  const { config, count, directory, plugins, signal } = options;
  // It holds the keys of models, and runs as the user whose other processes it starts.
  if (Deno.build.os === "linux") hideProcess();
  const doneWithout = guardsOff();
  const { judgeModels, judgeKeys } = await environmentSettings(directory);
  const { prepareOnly } = options.wishes;
  const models = openRunModels({
    ...{ ...options.access, config, judgeModels, judgeKeys, prepareOnly, warn },
  });
  const withheld = [...plugins.withheld, ...models.keyVariables];
  const variables = runVariables(options.variables, withheld, options.access.readVariable);
  const { ageDelayExemptions } = plugins;
  const { offline, trustsNpmrc } = options;
  const chooseRuntime = runtimeChooser(options.wishes.runtime);
  const environment = await describeEnvironment({
    ...{ directory, signal, offline, trustsNpmrc, ageDelayExemptions, config },
    defaultHardware: plugins.defaultHardware,
  });
  const task = taskOf(config, environment);
  if (!prepareOnly) checkScript(config, environment);
  const missing = missingPrograms(environment, task);
  const hardware = await resolveHardware(task.required_hardware, plugins.hardwareLimits);
  const wishes = {
    ...options.wishes,
    passthrough: hardware.passthrough ? hardware.name ?? undefined : undefined,
  };
  const source = await imageSource(directory);
  const { runtime, info, told } = await chooseRuntime({ image: source !== undefined, wishes });
  const given = await runtimeArguments(plugins.containerRunHooks, { task, runtime, wishes });
  logLine(told);
  tellUnused(source, runtime);
  const runs = splitRuns(config, count);
  const [content] = await Promise.all([
    contentFor(runtime, environment, options),
    removeLeftovers(runtime, runs),
  ]);
  const { limits, told: toldLimits, memory } = sandboxLimits(hardware, runtime, info);
  logLine(toldLimits);
  const { proxyUrl, isReplay } = options.access;
  if (proxyUrl !== undefined && !isReplay) logLine(`proxy for model calls: ${proxyUrl}`);
  const sandbox = {
    ...{ content, arguments: given.values, limits, hidden: hidden(environment) },
    ...{ mounts: wishes.mounts, network: wishes.network, keep: wishes.keep },
  };
  const common = {
    ...{
      runtime,
      sandbox,
      sandboxMemory: memory,
      models,
      variables,
      signal,
      guardsOff: doneWithout,
    },
    bundle: wishes.dev ? bundleUpload(environment.bundle) : undefined,
    scoringLimitSeconds: task.scoring_time_limit_seconds,
    warnings: [...plugins.warnings, ...hardware.warnings, ...given.warnings, ...missing],
  };
  if (prepareOnly) {
    const held = { ...common, config, index: 0, progress: new Progress(undefined) };
    await holdSandboxed(held, ({ shell }) => options.onPrepared(shell));
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
  if (wishes.keep) { for (const { run_id } of runs) tellKept(runtime, run_id); }
  return outcomesOf(settled, runs);
}

/**
 * Provides what sandboxes are made of: an image of the environment where the runtime takes one.
 * With `--dev` that is the last one, and the user is told what of the environment it lacks.
 */
async function contentFor(
  { images }: Runtime,
  environment: DescribedEnvironment,
  { wishes, directory, offline, signal }: RunEvaluationOptions,
): Promise<SandboxContent> {
  if (images === undefined) {
    return {
      kind: "files",
      program: environment.program.inSandbox,
      privateDirectory: environment.bundle.directory,
      environmentDirectory: environment.directory,
    };
  }
  if (!wishes.dev) {
    const { id } = await provideImage({ environment, images, offline, signal });
    return { kind: "image", id };
  }
  const { id, changed } = await lastImage(images, directory);
  if (changed.length > 0) {
    logLine(`dev: not picked up, changed since the image was built: ${changed.join(", ")}`);
  }
  return { kind: "image", id };
}

function tellKept({ keptCopy }: Runtime, runId: string): void {
  if (keptCopy !== undefined) logLine(`kept: ${keptCopy(runId).join(" ")} ./out/`);
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

/** Warns of what judges of the task are to run and is not there; returns the warnings. */
function missingPrograms(
  { missing_programs }: DescribedEnvironment,
  { id }: TaskDescription,
): string[] {
  const missing = missing_programs.filter(({ task_id }) => task_id === id)
    .map(({ message }) => `task "${id}", ${message}`);
  missing.forEach((each) => warn(each));
  return missing;
}

/** Says which of the environment's files a runtime without images does not look at. */
function tellUnused(source: ImageSource | undefined, { images, name }: Runtime): void {
  if (source === undefined || images !== undefined) return;
  logLine(`${sourceName(source)} is not used: ${name} takes this machine's programs`);
}

/** Removes what runs of the same ids left; `karotte clean` removes that of all. */
async function removeLeftovers(
  runtime: Runtime,
  runs: readonly EvaluationRunConfig[],
): Promise<void> {
  const removed = await runtime.removeLeftovers({ runIds: runs.map(({ run_id }) => run_id) });
  if (removed > 0) logLine(`removed what ${removed} run(s) left that were killed`);
}

/** Lists what the sandbox may not see: the user's own things, wherever they lie. */
function hidden({ directory, cacheDirectory }: DescribedEnvironment): SandboxSpec["hidden"] {
  const source = sourceTree();
  return [directory, cacheDirectory, Deno.cwd(), ...(source === undefined ? [] : [source])];
}
