import { logLine, reportLine, warn } from "../base/log.ts";
import { KarotteError } from "../base/errors.ts";
import { openModelAccess } from "../host/models/model_access.ts";
import { literalKeyWarning } from "../host/models/model_keys.ts";
import { resolveProxy } from "../host/models/proxy.ts";
import type { SandboxShell } from "../runtimes/runtime.ts";
import { resolveRunConfig } from "../host/run_config.ts";
import { runEvaluation } from "../host/run/prepare.ts";
import type { RunOutcome } from "../host/run/recording.ts";
import { hasTokens, usageText } from "../records/usage_text.ts";
import { readRunPlugins, type RunPlugins } from "../host/run/run_plugins.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { openRegistry, type OpenRegistryOptions } from "../plugins/open_registry.ts";
import { defineCommand } from "./command.ts";
import { onInterrupt } from "./interrupt.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";
import { approvedByUser } from "./project_trust.ts";
import { modelFlags, runConfigFlags } from "./run_config_flags.ts";
import { flagsOfSandbox, sandboxFlags, sandboxWishes } from "./sandbox_flags.ts";

const description = `
Runs a student on a task in a sandbox, scores it and records everything.

What to run comes from a run config (--config FILE or JSON text), from flags, or from both: flags
win. The sandbox has no network, and the model's key never enters it.

  karotte run --task example_task --fake-model
  karotte run --task example_task --model anthropic/claude-opus-5 -n 8
  karotte run --config run_config.json --turn-limit 20

The model is called from this machine, with the key of --model-api-key, else that of the provider's
variable (ANTHROPIC_API_KEY and so on). Calls that fail are tried again; time limits of steps go on
meanwhile. karotte models list shows models, their reasoning levels and prices.

Each event is on disk, in out/<run_id>.events.ndjson, before the run goes on; the transcript is
written from it at the end, also after an error or Ctrl-C.

The sandbox is a container of docker or podman, whichever works, made of the environment's image,
which is built first if anything has changed; else bubblewrap makes it, of this machine's programs.
KAROTTE_RUNTIME names another default.

With --network internal docker and podman make a network that has no way out and is named like the
container: the student reaches the containers that you attach to it (docker network connect
karotte_run_<run_id> NAME), and neither this machine nor anything else. It goes with the run.

Exit status: 0 if every run came to its end whatever its score, 1 if a run ended with an error, 130
after an interrupt.`;

const INTERRUPTED = 130;

export const command = defineCommand({
  description,
  flags: {
    ...runConfigFlags,
    nParallel: {
      type: "integer",
      short: "n",
      value: "N",
      min: 1,
      default: 1,
      help: "Runs of the same config, at once.",
    },
    maxParallel: { type: "integer", value: "N", min: 1, help: "At most so many of them at once." },
    ...sandboxFlags,
    containerized: {
      type: "boolean",
      default: true,
      help: "--no-containerized runs in the container that karotte is in, of an image of its own.",
    },
    env: {
      type: "string",
      value: "NAME[=VALUE]",
      repeatable: true,
      help: "A variable for the student, and data for hooks; without a value the one set here.",
    },
    ...modelFlags,
    trust: {
      type: "string",
      value: "DIGEST",
      help: "Say yes to exactly this, as karotte trust --show prints it, for these runs.",
    },
    ...pluginFlags,
  },
  async run({ flags }, context) {
    if (!flags.containerized) {
      const { runInPlace } = await import("./run_in_place.ts");
      const outcome = await runInPlace(flags, {
        directory: context.directory,
        sandboxFlags: flagsOfSandbox(flags),
      });
      printOutcome(outcome);
      // Who starts such a container takes any other status for a fault of the container.
      const tells = Boolean(Deno.env.get("KAROTTE_EXIT_ON_RUN_ERROR"));
      return tells ? statusOf([outcome]) : 0;
    }
    const wishes = await sandboxWishes(flags, Deno.cwd());
    if (wishes.prepareOnly && flags.nParallel > 1) throw oneOnly();
    const given = await resolveRunConfig({ config: flags.config, flags });
    warnOfLiteralKey(flags.modelApiKey, given.model);
    const forPlugins = pluginFlagsOf(flags, context.plugins);
    const { directory } = context;
    const isFake = given.use_fake_model || flags.replay !== undefined;
    const wanted = { directory, flags: forPlugins, registries: true, digest: flags.trust };
    const approvals = await approvedByUser({ ...wanted, judges: !isFake });
    const plugins = await readPlugins({
      directory,
      flags: forPlugins,
      approvals,
      handsVariablesOver: flags.env.length > 0,
    });
    const config = await plugins.preprocess(given);
    // Nobody was asked about models that a script needs none of.
    const isReal = isFake && flags.replay === undefined && !config.use_fake_model;
    if (isReal) await approvedByUser({ ...wanted, judges: true });
    const proxyUrl = resolveProxy(flags, plugins.defaultProxyUrl);
    await using access = await openModelAccess({ ...flags, proxyUrl });
    // Not before: a plugin that loops while it is imported must end by Ctrl-C.
    using interrupt = onInterrupt();
    const outcomes = await runEvaluation({
      config,
      count: flags.nParallel,
      directory,
      plugins,
      trustsNpmrc: approvals.npmrc,
      variables: flags.env,
      offline: forPlugins.offline,
      access,
      signal: interrupt.signal,
      wishes,
      onPrepared: printShell,
      ...(flags.maxParallel === undefined ? {} : { maxParallel: flags.maxParallel }),
    });
    for (const warning of plugins.warnings) warn(warning);
    outcomes.forEach(printOutcome);
    return statusOf(outcomes);
  },
});

function statusOf(outcomes: readonly RunOutcome[]): number {
  if (outcomes.some(({ interrupted }) => interrupted)) return INTERRUPTED;
  return outcomes.every(({ status }) => status !== "error") ? 0 : 1;
}

async function readPlugins(
  options: Pick<
    OpenRegistryOptions,
    "directory" | "flags" | "approvals" | "handsVariablesOver"
  >,
): Promise<RunPlugins> {
  return await readRunPlugins(
    await openRegistry({
      ...options,
      cacheDirectory: cacheDirectory(),
      warn,
      unloadable: "refuse",
    }),
  );
}

function warnOfLiteralKey(key: string | undefined, model: string): void {
  const warning = key === undefined ? undefined : literalKeyWarning(key, model);
  if (warning !== undefined) warn(warning);
}

function oneOnly(): KarotteError {
  return new KarotteError("usage", "Cannot use --prepare-only for several runs", {
    hint: "leave out -n, or start several commands with run ids of their own",
  });
}

function printShell({ name, asRoot, asStudent }: SandboxShell): void {
  reportLine(`prepared: ${name}`);
  reportLine(`  as root: ${asRoot.join(" ")}`);
  if (asStudent !== undefined) reportLine(`  as the student: ${asStudent.join(" ")}`);
  logLine("Ctrl-C ends it");
}

function printOutcome(outcome: RunOutcome): void {
  const { summary } = outcome;
  reportLine(`run ${outcome.runId}: ${outcome.status}`);
  for (const { step, score } of summary.stepScores) reportLine(`  step ${step}: score ${score}`);
  for (const [who, spent] of [["student", summary.spent], ["judges", summary.judged]] as const) {
    if (spent !== null && hasTokens(spent)) reportLine(`  ${who}: ${usageText(spent)}`);
  }
  if (outcome.transcriptPath !== null) reportLine(`  transcript: ${outcome.transcriptPath}`);
  if (outcome.eventsPath !== undefined) reportLine(`  events: ${outcome.eventsPath}`);
  if (outcome.artifactsPath !== undefined) reportLine(`  artifacts: ${outcome.artifactsPath}`);
  for (const fault of outcome.faults) logLine(`error: ${fault}`);
}
