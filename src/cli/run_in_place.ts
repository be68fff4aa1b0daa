import { networkInterfaces } from "node:os";
import { KarotteError, messageOf } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { runHarness } from "../harness/main.ts";
import { type ModelAccess, openModelAccess } from "../host/models/model_access.ts";
import { openRunModels } from "../host/models/run_models.ts";
import { guardsOff } from "../host/run/guards_off.ts";
import { resolveProxy } from "../host/models/proxy.ts";
import { LocalHost } from "../host/run/local_host.ts";
import { Progress } from "../host/run/progress.ts";
import { recordRun, type RunOutcome } from "../host/run/recording.ts";
import { memoryFromVariable } from "../host/run/memory_variable.ts";
import { recordedOnDisk } from "../host/run/run_sink.ts";
import { InterruptedError } from "../host/run/session.ts";
import { startParams } from "../host/run/start_params.ts";
import { runVariables } from "../host/run/variables.ts";
import { resolveRunConfig, type RunConfigFlags } from "../host/run_config.ts";
import { onInterrupt } from "./interrupt.ts";

/** The flags of `karotte run --no-containerized`. */
export interface InPlaceFlags extends RunConfigFlags {
  readonly config: string | undefined;
  /** `NAME=VALUE` or `NAME`, for the processes of the run. */
  readonly env: readonly string[];
  readonly proxy: string | undefined;
  readonly noProxy: boolean | undefined;
  readonly record: string | undefined;
  readonly replay: string | undefined;
}

/**
 * Runs a task in the container that this process is in: there is no host, so this process is that
 * too. No plugin is loaded: what plugins say of runs is for hosts. Throws a usage error before
 * anything is done if a flag is for sandboxes, if this is no container of an image that Karotte
 * built, or if the student would have a network.
 */
export async function runInPlace(
  flags: InPlaceFlags,
  { directory, sandboxFlags }: {
    /** Where relative output paths start. */
    readonly directory: string;
    /** The flags that were given and say something of a sandbox. */
    readonly sandboxFlags: readonly string[];
  },
): Promise<RunOutcome> {
  refuseSandboxFlags(sandboxFlags);
  checkContainerized();
  const config = await resolveRunConfig({ config: flags.config, flags });
  const proxyUrl = resolveProxy(flags, undefined);
  await using access = await openModelAccess({ ...flags, proxyUrl });
  using interrupt = onInterrupt();
  const { signal } = interrupt;
  checkNetwork(access.readVariable);
  const sandboxMemory = memoryFromVariable();
  const models = openRunModels({ ...access, config, judgeModels: [], judgeKeys: [], warn });
  const run = {
    ...{ config, models, sandboxMemory, signal, turnLimit: config.turn_limit, index: 0 },
    guardsOff: guardsOff(),
    variables: runVariables(flags.env, models.keyVariables, access.readVariable),
    progress: new Progress(undefined),
    openSink: recordedOnDisk({ directory, name: config.run_id }),
  };
  return await recordRun(run, async ({ recorder, artifacts, answers }) => {
    const link = new LocalHost({ record: (event) => recorder.record(event), artifacts, answers });
    await runHarness(link, startParams(run), signal);
    if (signal.aborted) throw new InterruptedError(messageOf(signal.reason));
  });
}

function refuseSandboxFlags([flag]: readonly string[]): void {
  if (flag === undefined) return;
  throw new KarotteError("usage", `Cannot use ${flag} with --no-containerized`, {
    hint: "it is for the sandbox, and then there is none",
  });
}

function checkContainerized(): void {
  if (Deno.env.get("KAROTTE_CONTAINERIZED") !== undefined) return;
  throw new KarotteError("usage", "Cannot use --no-containerized: this is no image of Karotte's", {
    hint: "it is for a container that something else starts from an image of karotte build",
  });
}

const STUDENT_NETWORK = "KAROTTE_STUDENT_NETWORK";

/** Refuses a network, which this process needs to call models and the student would share. */
function checkNetwork(readVariable: ModelAccess["readVariable"]): void {
  if (readVariable(STUDENT_NETWORK) === "open") return;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  if (addresses.every(({ internal }) => internal)) return;
  throw new KarotteError(
    "usage",
    "Cannot run without a host: the student would share this container's network",
    { hint: `let Karotte start the sandbox; or set ${STUDENT_NETWORK}=open to let it` },
  );
}
