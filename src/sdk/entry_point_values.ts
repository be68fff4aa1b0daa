import type { HardwareLimits } from "../schemas/hardware_limits.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import type { TaskDescription } from "../schemas/task_description.ts";
import type { CliAgentClass } from "./cli_agent.ts";
import type { PluginCommand } from "./plugin_command.ts";
import type { UpdateMigration } from "./update_migration.ts";

/** Gets the run config that the entry before it returned, and returns what the next one gets. */
export type RunConfigPreprocessor = (
  config: EvaluationRunConfig,
) => EvaluationRunConfig | Promise<EvaluationRunConfig>;

/** What a kind of hardware allows; null or nothing: not one that this plugin knows. */
export type HardwareLimitsFunction = (
  hardware: string,
) => HardwareLimits | null | undefined | Promise<HardwareLimits | null | undefined>;

/**
 * Arguments for the container engine's `run`, inserted as they are. Called before every launch,
 * whatever the runtime: a throw refuses the launch.
 */
export type ContainerRunArguments = (
  task: TaskDescription,
  runtime: string,
) => readonly string[] | Promise<readonly string[]>;

/** What an entry of each group is; the groups may be written without `karotte.` too. */
export interface EntryPointValues {
  /** Subcommands, each named after its entry. */
  "karotte.cli": PluginCommand;
  /** Called in the order of their names. */
  "karotte.run_config_preprocessors": RunConfigPreprocessor;
  /** A URL, or empty for none. */
  "karotte.default_proxy_url": string;
  /** Names of environment variables that no process of the student sees. */
  "karotte.harness_secret_env": readonly string[];
  /** Absolute paths. */
  "karotte.platform_tooling_dirs": readonly string[];
  /** Names of packages that may be younger than 7 days. */
  "karotte.age_delay_exemptions": readonly string[];
  "karotte.update_migrations": UpdateMigration;
  /** For tasks that name none. */
  "karotte.default_hardware": string;
  "karotte.hardware_limits": HardwareLimitsFunction;
  "karotte.container_run_args": ContainerRunArguments;
  /** The class, not an instance. */
  "karotte.cli_agents": CliAgentClass;
  /**
   * A folder whose folders are templates: `new URL("./templates/", import.meta.url)`, or a path.
   */
  "karotte.templates": string | URL;
}
