import type { PluginFlags } from "../plugins/plugin_flags.ts";
import type { Command } from "./command.ts";

/** A command as the table lists it: its module is loaded only when it runs or shows its help. */
export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Works, but is not listed: for our own use of ourselves. */
  readonly hidden?: boolean;
  /** Gets all that stands after its name, `--help` included. */
  readonly ownHelp?: boolean;
  /** Absent: the command only groups others. */
  load?(): Promise<{ command: Command }>;
  /** Sub-commands. */
  readonly commands?: CommandTable;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

export interface FindCommandsOptions {
  /** `-C DIR` if it stood before the command's name. */
  readonly directory: string | undefined;
  readonly plugins: PluginFlags;
  /** Names that are taken. */
  readonly builtins: readonly string[];
  /** Only names are needed, and nothing may fail. */
  readonly forHelp: boolean;
}

/** Finds the commands that are not built in. */
export type FindCommands = (options: FindCommandsOptions) => Promise<CommandTable>;
