import { networkInterfaces } from "node:os";
import { KarotteError, messageOf } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { runHarness } from "../harness/main.ts";
import { LocalHost } from "../host/run/local_host.ts";
import type { ModelAccess } from "../host/models/model_access.ts";
import { openRunModels } from "../host/models/run_models.ts";
import { Progress } from "../host/run/progress.ts";
import { recordRun, type RunOutcome } from "../host/run/recording.ts";
import { runEnvironment } from "../host/run/variables.ts";
import { InterruptedError } from "../host/run/session.ts";
import { startParams } from "../host/run/start_params.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";

export interface RunHereOptions {
  readonly config: EvaluationRunConfig;
  readonly access: ModelAccess;
  /** `NAME=VALUE` or `NAME`, for the processes of the run. */
  readonly variables: readonly string[];
  /** Where relative output paths start. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Throws a usage error if this process is in no container of an image that Karotte built. */
export function checkContainerized(): void {
  if (Deno.env.get("KAROTTE_CONTAINERIZED") !== undefined) return;
  throw new KarotteError("usage", "Cannot use --no-containerized: this is no image of Karotte's", {
    hint: "it is for a container that something else starts from an image of karotte build",
  });
}

/**
 * Runs a task in the container that this process is in: there is no host, so this process is that
 * too. Throws a usage error before it has done anything if the student would have a network.
 */
export async function runHere(options: RunHereOptions): Promise<RunOutcome> {
  const { config, access, signal } = options;
  checkNetwork(access.readVariable);
  const models = openRunModels({ ...access, config, judgeModels: [], warn });
  const environment = runEnvironment(options.variables, models.keyVariables, access.readVariable);
  return await recordRun({
    config,
    outputName: config.run_id,
    directory: options.directory,
    environment,
    models,
    index: 0,
    progress: new Progress(undefined),
    signal,
  }, async ({ recorder, artifacts, answers }) => {
    const link = new LocalHost({ record: (event) => recorder.record(event), artifacts, answers });
    await runHarness(link, startParams({ config, environment, models }), signal);
    if (signal.aborted) throw new InterruptedError(messageOf(signal.reason));
  });
}

const STUDENT_NETWORK = "KAROTTE_STUDENT_NETWORK";

/** This process needs a network to call models, and here the student shares it. */
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
