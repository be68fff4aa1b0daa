import type { Command } from "./command.ts";

/** A command as the table lists it: its module is loaded only when it runs or shows its help. */
export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Works, but is not listed: for our own use of ourselves. */
  readonly hidden?: boolean;
  /** Absent: the command only groups others. */
  load?(): Promise<{ command: Command }>;
  /** Sub-commands. */
  readonly commands?: CommandTable;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;
