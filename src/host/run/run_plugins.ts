import { ageDelayExemptions } from "../../entry_points/age_delay_exemptions.ts";
import { containerRunArgs, type ContainerRunHooks } from "../../entry_points/container_run_args.ts";
import { defaultHardware } from "../../entry_points/default_hardware.ts";
import { defaultProxyUrl } from "../../entry_points/default_proxy_url.ts";
import { hardwareLimits, type HardwareLimitsLookup } from "../../entry_points/hardware_limits.ts";
import { harnessSecretEnv } from "../../entry_points/harness_secret_env.ts";
import {
  type Preprocess,
  runConfigPreprocessors,
} from "../../entry_points/run_config_preprocessors.ts";
import { skippedText } from "../../plugins/failure.ts";
import type { Registry } from "../../plugins/registry.ts";

/** The part of plugins in a run: every entry point that `karotte run` reads, read once. */
export interface RunPlugins {
  readonly preprocess: Preprocess;
  /** Names of variables that the student must not see. */
  readonly withheld: readonly string[];
  readonly defaultHardware: string | undefined;
  readonly hardwareLimits: HardwareLimitsLookup | undefined;
  readonly containerRunHooks: ContainerRunHooks;
  readonly defaultProxyUrl: string | undefined;
  /** Packages of the environment that may be younger than the age delay. */
  readonly ageDelayExemptions: readonly string[];
  /** For the run's transcript: what it means for the run that a plugin was skipped. */
  readonly warnings: readonly string[];
}

/** Imports the plugins of a run. Rejects with a plugin error for a failure that is fatal. */
export async function readRunPlugins(registry: Registry): Promise<RunPlugins> {
  const { preprocess } = await registry.get(runConfigPreprocessors);
  const plugins = {
    preprocess,
    withheld: await registry.get(harnessSecretEnv),
    defaultHardware: await registry.get(defaultHardware),
    hardwareLimits: await registry.get(hardwareLimits),
    containerRunHooks: await registry.get(containerRunArgs),
    defaultProxyUrl: await registry.get(defaultProxyUrl),
    ageDelayExemptions: await registry.get(ageDelayExemptions),
  };
  const consequential = registry.failures.filter(({ consequence }) => consequence !== undefined);
  return { ...plugins, warnings: consequential.map(skippedText) };
}
