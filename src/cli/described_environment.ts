import { warn } from "../base/log.ts";
import { ageDelayExemptions } from "../entry_points/age_delay_exemptions.ts";
import { defaultHardware } from "../entry_points/default_hardware.ts";
import { runConfigPreprocessors } from "../entry_points/run_config_preprocessors.ts";
import {
  type DescribedEnvironment,
  describeEnvironment,
} from "../host/environment/describe_environment.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { openRegistry } from "../plugins/open_registry.ts";
import type { CommandContext } from "./context.ts";
import { type GivenPluginFlags, pluginFlagsOf } from "./plugin_flags.ts";
import { approvedByUser, approvedSoFar } from "./project_trust.ts";

export interface DescribedEnvironmentOptions {
  readonly flags: GivenPluginFlags;
  /** The user is asked for his yes to the environment's plugins, if he has not given it. */
  readonly asks: boolean;
  readonly signal?: AbortSignal;
}

/** Describes a command's environment, its packages installed as flags and plugins have it. */
export async function describedEnvironment(
  { directory, plugins }: CommandContext,
  { flags: given, asks, signal }: DescribedEnvironmentOptions,
): Promise<DescribedEnvironment> {
  const flags = pluginFlagsOf(given, plugins);
  const approvals = asks
    ? await approvedByUser({ directory, flags, registries: true, ...(signal ? { signal } : {}) })
    : await approvedSoFar({ directory, flags });
  const registry = await openRegistry({
    directory,
    flags,
    approvals,
    cacheDirectory: cacheDirectory(),
    warn,
    unloadable: asks ? "refuse" : "warn",
  });
  // An image of an environment that can't be run is of no use.
  if (asks) await registry.get(runConfigPreprocessors);
  return await describeEnvironment({
    directory,
    offline: flags.offline,
    trustsNpmrc: approvals.npmrc,
    ageDelayExemptions: await registry.get(ageDelayExemptions),
    defaultHardware: await registry.get(defaultHardware),
    ...(signal ? { signal } : {}),
  });
}
