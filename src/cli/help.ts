import type { CommandEntry } from "./command.ts";
import { type CommandDeclaration, type Flag, flagName, type Positional } from "./declaration.ts";

const WIDTH = 100;

/** One line of a two-column list. */
type Row = readonly [left: string, right: string];

const GLOBAL_FLAGS: readonly Row[] = [
  ["-C DIR", "The environment's directory (default: the current one)."],
  ["-h, --help", "Show this text."],
];

/** They stand before the command's name. */
const ROOT_FLAGS: readonly Row[] = [
  ["--with SPEC", "Load this plugin too: a path, npm:NAME or jsr:@SCOPE/NAME. Repeatable."],
  ["--plugins FILE", "Read this manifest of plugins too."],
  ["--no-plugins", "Load no plugin at all."],
  ["--strict-plugins", "End if any plugin can't be loaded."],
  ["--offline", "Install nothing: use the packages that are there."],
  ["--version", "Show the version."],
];

/** The help of a group of commands, and of the program itself. */
export function tableHelp(path: string, entry: CommandEntry): string {
  const isRoot = !path.includes(" ");
  return sections([
    `Usage: ${path} COMMAND`,
    isRoot
      ? "Karotte runs LLM agents on tasks in sandboxes and scores them."
      : wrap(entry.summary, 0),
    list("Commands", commandRows(entry)),
    list("Flags", [
      ...GLOBAL_FLAGS,
      ...(isRoot ? ROOT_FLAGS : []),
    ]),
    `${path} COMMAND --help says more.`,
  ]);
}

/** The help of one command. */
export function commandHelp(
  path: string,
  entry: CommandEntry,
  { description, flags = {}, positionals = {} }: CommandDeclaration,
): string {
  const rows = Object.entries(flags).filter(([, flag]) => !flag.hidden).map(flagRow);
  const names = Object.values(positionals).map(positionalName);
  return sections([
    ["Usage:", path, ...names, "[FLAGS]"].join(" "),
    description.trim().split(/\n{2,}/).map(paragraph).join("\n\n"),
    list("Arguments", Object.values(positionals).map(({ value, help }) => [value, help])),
    list("Commands", commandRows(entry)),
    list("Flags", [...rows, ...GLOBAL_FLAGS]),
  ]);
}

function commandRows({ commands = {} }: CommandEntry): Row[] {
  return Object.entries(commands).filter(([, { hidden }]) => !hidden)
    .map(([name, { summary }]) => [name, summary]);
}

function flagRow([key, flag]: [string, Flag]): Row {
  const name = `--${flag.type === "boolean" && flag.default ? "no-" : ""}${flagName(key)}`;
  const value = flag.type === "boolean" ? "" : ` ${flag.value}`;
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const more = flag.type === "string" && flag.repeatable ? " Repeatable." : "";
  const usual = flag.type === "boolean" || flag.default === undefined
    ? ""
    : ` (default: ${flag.default})`;
  return [`${short}${name}${value}`, `${flag.help}${more}${usual}`];
}

function positionalName({ value, optional, rest }: Positional): string {
  const name = rest ? `${value}...` : value;
  return optional || rest ? `[${name}]` : name;
}

function list(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const column = Math.min(32, Math.max(...rows.map(([left]) => left.length)) + 4);
  const lines = rows.map(([left, right]) => {
    const start = `  ${left}`;
    const text = wrap(right, column);
    return start.length + 2 > column
      ? `${start}\n${" ".repeat(column)}${text}`
      : start.padEnd(column) + text;
  });
  return `${title}:\n${lines.join("\n")}`;
}

/** Indented lines are examples: they stay as they are. */
function paragraph(text: string): string {
  return /^\s/.test(text) ? text : wrap(text.replaceAll("\n", " "), 0);
}

/** Breaks `text` into lines that end at WIDTH when all but the first get `indent` blanks. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}

function sections(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
