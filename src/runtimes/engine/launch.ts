import { KarotteError } from "../../base/errors.ts";
import { spawn } from "../../base/process.ts";
import { checkMounts, covers } from "../mounts.ts";
import type { Sandbox, SandboxSpec } from "../runtime.ts";
import { attendedClient } from "./attended_client.ts";
import type { EngineCaller } from "./caller.ts";
import type { EngineInformation } from "./information.ts";
import { LAUNCH_LABEL, nameContainer } from "./labels.ts";
import { canLimit, runArguments } from "./run_arguments.ts";
import { EngineSandbox } from "./sandbox.ts";

export interface EngineLaunchOptions {
  readonly caller: EngineCaller;
  readonly information: EngineInformation;
  /** Told of limits that can't be enforced. */
  warn(text: string): void;
}

/**
 * Starts a sandbox from the spec's image. Returns as soon as the engine's client runs; what keeps the
 * container from starting is told by the sandbox's `status`.
 */
export async function launch(spec: SandboxSpec, options: EngineLaunchOptions): Promise<Sandbox> {
  const { caller, information } = options;
  if (spec.image === undefined) {
    throw new KarotteError(
      "runtime",
      `Cannot start a sandbox with ${caller.engine.name}: no image`,
      {
        hint: "build one with `karotte build`",
      },
    );
  }
  const keep = spec.keep ?? false;
  const mounts = await checkMounts(spec.mounts, { sourcesAreHere: !information.remote });
  const covered = information.remote ? [] : await covers(spec.hidden, mounts);
  const naming = nameContainer(spec.runId, { keep });
  const args = runArguments(spec, {
    engine: caller.engine,
    information,
    naming,
    mounts,
    covers: covered,
  });
  if (!canLimit(information)) {
    options.warn(
      `the sandbox's limits are not enforced: a rootless ${information.product} needs cgroups v2`,
    );
  }
  const label = `${LAUNCH_LABEL}=${naming.launch}`;
  const argv = attendedClient(caller.engine.command, args, { label, keep });
  const child = spawn(argv, { stdin: "piped" });
  return new EngineSandbox({ caller, child, naming, keep });
}
