/**
 * Every entry point, and nothing else: a new one is a file beside this one and a line here.
 *
 * @module
 */
export { ageDelayExemptions } from "./age_delay_exemptions.ts";
export { cli } from "./cli.ts";
export { cliAgents } from "./cli_agents.ts";
export { containerRunArgs } from "./container_run_args.ts";
export { defaultHardware } from "./default_hardware.ts";
export { defaultProxyUrl } from "./default_proxy_url.ts";
export { hardwareLimits } from "./hardware_limits.ts";
export { harnessSecretEnv } from "./harness_secret_env.ts";
export { platformToolingDirs } from "./platform_tooling_dirs.ts";
export { runConfigPreprocessors } from "./run_config_preprocessors.ts";
export { templates } from "./templates.ts";
export { updateMigrations } from "./update_migrations.ts";
