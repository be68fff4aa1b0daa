import { KarotteError, messageOf } from "../base/errors.ts";
import { printLine, warn } from "../base/log.ts";
import type { CommandEntry, CommandTable, FindCommands } from "./command.ts";
import { reportError } from "./error_report.ts";
import { type GlobalFlags, takeGlobalFlags } from "./global_flags.ts";

/** Where in the table an argument list led. */
interface Place {
  /** What was typed so far, for messages: `karotte tasks list`. */
  readonly path: string;
  readonly entry: CommandEntry;
  /** What is left of the arguments. */
  readonly rest: readonly string[];
}

/**
 * Runs the command that `argv` names and returns the exit status; throws nothing. Undefined: the
 * process is to end when it has nothing left to do. `findMore` is asked for commands that are not
 * in the table only where they matter: for the list of all, and for a name that is not there.
 */
export async function runCli(
  argv: readonly string[],
  table: CommandTable,
  findMore?: FindCommands,
): Promise<number | undefined> {
  try {
    return await dispatch(argv, table, findMore);
  } catch (error) {
    return reportError(error);
  }
}

async function dispatch(
  argv: readonly string[],
  table: CommandTable,
  findMore: FindCommands | undefined,
): Promise<number | undefined> {
  const given = takeGlobalFlags(argv);
  const { directory, plugins, rest } = given;
  const [first, ...others] = rest;
  if (first === "--version") return await printVersion();
  const commands = { ...table, ...await moreCommands(given, table, findMore) };
  const root: CommandEntry = { summary: "", commands };
  if (first === undefined || isHelp(first)) return await printHelp(await find(root, []));
  if (first === "help" && !Object.hasOwn(table, "help")) {
    return await printHelp(await find(root, others.filter((name) => !isHelp(name))));
  }
  const place = await find(root, rest);
  // What we call ourselves gets its arguments untouched: a scoring script may have a --help.
  const asIs = place.entry.hidden || place.entry.ownHelp;
  const wantsHelp = !asIs && place.rest.some(isHelpBeforeDashes);
  if (wantsHelp) return await printHelp(place);
  if (place.entry.load === undefined) throw missingSubcommand(place);
  const { command } = await place.entry.load();
  const builtins = Object.keys(table);
  return await command.run(place.rest, { path: place.path, directory, plugins, builtins });
}

/** Commands with other names than those of the table, if the arguments may mean one. */
async function moreCommands(
  { directory, plugins, rest }: GlobalFlags,
  table: CommandTable,
  findMore: FindCommands | undefined,
): Promise<CommandTable> {
  const isAboutHelp = rest[0] === undefined || rest[0] === "help" || isHelp(rest[0]);
  const name = rest[0] === "help" ? rest[1] : rest[0];
  const isKnown = name !== undefined && !isHelp(name) &&
    (name.startsWith("-") || Object.hasOwn(table, name));
  if (findMore === undefined || isKnown) return {};
  const builtins = [...Object.keys(table), "help"];
  const options = { directory, plugins, builtins, name: isAboutHelp ? undefined : name };
  if (!isAboutHelp) return await findMore(options);
  try {
    return await findMore(options);
  } catch (error) {
    // Help is what people need when something is broken.
    warn(messageOf(error));
    return {};
  }
}

async function find(root: CommandEntry, names: readonly string[]): Promise<Place> {
  let place: Place = { path: "karotte", entry: root, rest: names };
  for (;;) {
    const [name, ...rest] = place.rest;
    const commands = place.entry.commands;
    if (commands === undefined || name === undefined) return place;
    // Object.hasOwn: `karotte toString` is not a command.
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (entry === undefined) {
      if (isHelp(name) || place.entry.load !== undefined) return place;
      throw await unknownCommand(place, name, commands);
    }
    place = { path: `${place.path} ${name}`, entry, rest };
  }
}

async function unknownCommand(place: Place, name: string, commands: CommandTable) {
  const what = name.startsWith("-") ? "flag" : "command";
  const { didYouMean } = await import("../base/did_you_mean.ts");
  const listed = Object.keys(commands).filter((key) => !commands[key]?.hidden);
  const guess = what === "flag" ? undefined : didYouMean(name, listed);
  return new KarotteError("usage", `Cannot run ${place.path} "${name}": no such ${what}`, {
    hint: `${guess ? `did you mean ${guess}? ` : ""}${place.path} --help lists what there is`,
  });
}

function missingSubcommand(place: Place): KarotteError {
  const names = Object.keys(place.entry.commands ?? {}).join(", ");
  return new KarotteError("usage", `Cannot run ${place.path}: it needs one of ${names}`, {
    hint: `see ${place.path} --help`,
  });
}

async function printHelp({ path, entry, rest }: Place): Promise<number> {
  // Only the command itself knows, and nobody said that it may run.
  if (entry.ownHelp) {
    printLine(`${path}: ${entry.summary} It has a help of its own: ${path} --help`);
    return 0;
  }
  const { commandHelp, tableHelp } = await import("./help.ts");
  const extra = rest.find((arg) => !isHelp(arg) && !arg.startsWith("-"));
  if (entry.load === undefined && extra !== undefined) {
    throw await unknownCommand({ path, entry, rest }, extra, entry.commands ?? {});
  }
  if (entry.load === undefined) printLine(tableHelp(path, entry));
  else printLine(commandHelp(path, entry, (await entry.load()).command.declaration));
  return 0;
}

async function printVersion(): Promise<number> {
  const { VERSION } = await import("../base/version.ts");
  printLine(VERSION);
  return 0;
}

function isHelp(arg: string): boolean {
  return arg === "--help" || arg === "-h";
}

/** `--` ends flags, so a `--help` after it belongs to somebody else. */
function isHelpBeforeDashes(arg: string, index: number, all: readonly string[]): boolean {
  return isHelp(arg) && !all.slice(0, index).includes("--");
}
