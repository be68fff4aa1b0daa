import { KarotteError } from "../base/errors.ts";
import { openModelAccess } from "../host/models/model_access.ts";
import { resolveProxy } from "../host/proxy.ts";
import type { RunOutcome } from "../host/run/recording.ts";
import { resolveRunConfig, type RunConfigFlags } from "../host/run_config.ts";
import { onInterrupt } from "./interrupt.ts";
import { checkContainerized, runHere } from "./run_in_place.ts";

/** The flags of `karotte run --no-containerized`. */
export interface RunWithoutSandboxFlags extends RunConfigFlags {
  readonly config: string | undefined;
  readonly env: readonly string[];
  readonly proxy: string | undefined;
  readonly noProxy: boolean | undefined;
  readonly record: string | undefined;
  readonly replay: string | undefined;
}

/** Runs a config in this container. No plugin is loaded: what they say of runs is for hosts. */
export async function runWithoutSandbox(
  flags: RunWithoutSandboxFlags,
  { directory, sandboxFlags }: {
    readonly directory: string;
    /** Flags that say something of a sandbox, with whether they were given. */
    readonly sandboxFlags: Readonly<Record<string, boolean>>;
  },
): Promise<RunOutcome> {
  for (const [flag, isGiven] of Object.entries(sandboxFlags)) {
    if (isGiven) throw noSandbox(flag);
  }
  checkContainerized();
  const config = await resolveRunConfig({ config: flags.config, flags });
  await using access = await openModelAccess({
    ...flags,
    proxyUrl: resolveProxy(flags, undefined),
  });
  using interrupt = onInterrupt();
  const { signal } = interrupt;
  return await runHere({ config, access, variables: flags.env, directory, signal });
}

function noSandbox(flag: string): KarotteError {
  return new KarotteError("usage", `Cannot use ${flag} with --no-containerized`, {
    hint: "it is for the sandbox, and then there is none",
  });
}
