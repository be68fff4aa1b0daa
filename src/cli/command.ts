import { KarotteError } from "../base/errors.ts";
import type { PluginFlags } from "../plugins/plugin_flags.ts";
import { type CommandCall, type CommandContext, contextFor } from "./context.ts";
import type {
  BooleanFlag,
  CommandDeclaration,
  Flag,
  NumberFlag,
  Positional,
} from "./declaration.ts";
import { parseArguments } from "./parse_arguments.ts";

/** What the frame needs of a command. A plugin's command implements it without declarations. */
export interface Command {
  readonly declaration: CommandDeclaration;
  /** Resolves to the exit status; undefined lets the process end when it has nothing left to do. */
  run(args: readonly string[], call: CommandCall): Promise<number | undefined>;
}

type Given<F extends Flag> = F extends { repeatable: true } ? readonly string[]
  : F extends BooleanFlag ? boolean
  : F extends NumberFlag ? number
  : string;

/** A flag that was not given is undefined, unless it has a default or is repeatable. */
type FlagValue<F extends Flag> = F extends { repeatable: true } | { default: unknown } ? Given<F>
  : Given<F> | undefined;

type PositionalValue<P extends Positional> = P extends { rest: true } ? readonly string[]
  : P extends { optional: true } ? string | undefined
  : string;

export interface Arguments<
  Flags extends Readonly<Record<string, Flag>>,
  Positionals extends Readonly<Record<string, Positional>>,
> {
  readonly flags: { readonly [Name in keyof Flags]: FlagValue<Flags[Name]> };
  readonly positionals: {
    readonly [Name in keyof Positionals]: PositionalValue<Positionals[Name]>;
  };
}

/**
 * A command from its declaration: arguments arrive parsed and typed.
 *
 * ```ts
 * export const command = defineCommand({
 *   description: "Greets.",
 *   flags: { loud: { type: "boolean", help: "Shout.", default: false } },
 *   positionals: { name: { value: "NAME", help: "Whom to greet." } },
 *   run({ flags, positionals }) {
 *     printLine(flags.loud ? positionals.name.toUpperCase() : positionals.name);
 *   },
 * });
 * ```
 */
export function defineCommand<
  const Flags extends Readonly<Record<string, Flag>> = Record<never, never>,
  const Positionals extends Readonly<Record<string, Positional>> = Record<never, never>,
>(
  declaration: CommandDeclaration & {
    readonly flags?: Flags;
    readonly positionals?: Positionals;
    /** Returns the exit status; nothing means 0. */
    run(
      args: Arguments<Flags, Positionals>,
      context: CommandContext,
    ): number | void | Promise<number | void>;
  },
): Command {
  return {
    declaration,
    async run(args, call) {
      const { path, directory } = call;
      const parsed = parseArguments(args, declaration, path);
      if (directory !== undefined && parsed.directory !== undefined) {
        throw new KarotteError("usage", "Cannot use -C: given more than once", {
          hint: `see ${path} --help`,
        });
      }
      const context = contextFor({ ...call, directory: directory ?? parsed.directory });
      // The cast is what parseArguments establishes from the same declaration.
      return await declaration.run(parsed as Arguments<Flags, Positionals>, context) ?? 0;
    },
  };
}

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
  /** The command that is called; undefined: only names are needed, and nothing may fail. */
  readonly name: string | undefined;
}

/** Finds the commands that are not built in. */
export type FindCommands = (options: FindCommandsOptions) => Promise<CommandTable>;
