import { KarotteError } from "../base/errors.ts";
import { openCalls } from "../host/models/open_calls.ts";
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
    /** The flags that were given and say something of a sandbox. */
    readonly sandboxFlags: readonly string[];
  },
): Promise<RunOutcome> {
  for (const flag of sandboxFlags) throw noSandbox(flag);
  checkContainerized();
  const config = await resolveRunConfig({ config: flags.config, flags });
  await using calls = await openCalls({ ...flags, proxyUrl: resolveProxy(flags, undefined) });
  using interrupt = onInterrupt();
  const { signal } = interrupt;
  return await runHere({ config, calls, variables: flags.env, directory, signal });
}

function noSandbox(flag: string): KarotteError {
  return new KarotteError("usage", `Cannot use ${flag} with --no-containerized`, {
    hint: "it is for the sandbox, and then there is none",
  });
}
