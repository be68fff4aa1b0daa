import { warn } from "../base/log.ts";
import { ageDelayExemptions } from "../entry_points/age_delay_exemptions.ts";
import { defaultHardware } from "../entry_points/default_hardware.ts";
import {
  type DescribedEnvironment,
  describeEnvironment,
} from "../host/environment/describe_environment.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { openRegistry } from "../plugins/open_registry.ts";
import type { CommandContext } from "./context.ts";
import { type GivenPluginFlags, pluginFlagsOf } from "./plugin_flags.ts";

export interface DescribedEnvironmentOptions {
  readonly flags: GivenPluginFlags;
  /**
   * Whether plugins that the environment itself names are loaded: they run as the user, and only to
   * look at an environment nobody has to trust it.
   */
  readonly trusted: boolean;
  readonly signal?: AbortSignal;
}

/** Describes a command's environment, its packages installed as flags and plugins have it. */
export async function describedEnvironment(
  { directory, plugins }: CommandContext,
  { flags: given, trusted, signal }: DescribedEnvironmentOptions,
): Promise<DescribedEnvironment> {
  const flags = pluginFlagsOf(given, plugins);
  const registry = await openRegistry({
    directory: trusted ? directory : undefined,
    flags,
    cacheDirectory: cacheDirectory(),
    warn,
  });
  return await describeEnvironment({
    directory,
    offline: flags.offline,
    ageDelayExemptions: await registry.get(ageDelayExemptions),
    defaultHardware: await registry.get(defaultHardware),
    ...(signal ? { signal } : {}),
  });
}
