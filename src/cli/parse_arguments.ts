import { parseArgs } from "@std/cli";
import { didYouMean } from "../base/did_you_mean.ts";
import { KarotteError } from "../base/errors.ts";
import {
  type CommandDeclaration,
  type Flag,
  flagName,
  type NumberFlag,
  type Positional,
} from "./declaration.ts";

export interface ParsedArguments {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly positionals: Readonly<Record<string, unknown>>;
  /** The value of `-C`. */
  readonly directory: string | undefined;
}

/** Checks `args` against the declaration; throws a usage error for the first that does not fit. */
export function parseArguments(
  args: readonly string[],
  declaration: CommandDeclaration,
  path: string,
): ParsedArguments {
  const flags = Object.entries(declaration.flags ?? {}).map(([key, flag]) => ({
    key,
    name: flagName(key),
    flag,
  }));
  const booleans = flags.filter(({ flag }) => flag.type === "boolean").map(({ name }) => name);
  const valued = flags.filter(({ flag }) => flag.type !== "boolean").map(({ name }) => name);
  const unknown: string[] = [];
  const parsed: Record<string, unknown> = parseArgs([...args], {
    boolean: booleans,
    negatable: booleans,
    // Not false, which is what `--no-x` says.
    default: Object.fromEntries(booleans.map((name) => [name, null])),
    // `_`: a positional "007" stays text. All are collected, so that a second value is seen.
    string: [...valued, "C", "_"],
    collect: [...valued, "C"],
    alias: Object.fromEntries(
      flags.flatMap(({ name, flag }) => flag.short === undefined ? [] : [[name, flag.short]]),
    ),
    unknown: (arg: string, key?: string) => {
      if (key === undefined) return true;
      unknown.push(arg.startsWith("--") ? `--${key}` : `-${key}`);
      return false;
    },
  });
  if (unknown[0] !== undefined) throw unknownFlag(unknown[0], flags, path);
  return {
    flags: Object.fromEntries(
      flags.map(({ key, name, flag }) => [key, flagValue(name, flag, parsed[name], path)]),
    ),
    positionals: positionalValues(parsed._ as string[], declaration.positionals ?? {}, path),
    directory: single("-C", parsed.C as string[], path),
  };
}

function flagValue(name: string, flag: Flag, parsed: unknown, path: string): unknown {
  if (flag.type === "boolean") return parsed ?? flag.default;
  // A string that is collected is an array, empty where the flag was not given.
  const texts = parsed as string[];
  if (flag.type === "string" && flag.repeatable) {
    if (texts.includes("")) throw needsValue(`--${name}`, path);
    return texts;
  }
  const text = single(`--${name}`, texts, path);
  if (text === undefined) return flag.default;
  return flag.type === "string" ? text : numberValue(name, flag, text, path);
}

function single(name: string, texts: readonly string[], path: string): string | undefined {
  if (texts.length > 1) throw usage(`Cannot use ${name}: given more than once`, path);
  if (texts[0] === "") throw needsValue(name, path);
  return texts[0];
}

function numberValue(name: string, flag: NumberFlag, text: string, path: string): number {
  const pattern = flag.type === "integer" ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const value = pattern.test(text) ? Number(text) : NaN;
  const kind = flag.type === "integer" ? "a whole number" : "a number";
  const least = flag.min === undefined ? "" : ` of at least ${flag.min}`;
  if (!Number.isFinite(value) || value < (flag.min ?? -Infinity)) {
    throw usage(`Cannot use --${name} "${text}": expected ${kind}${least}`, path);
  }
  return value;
}

function positionalValues(
  given: readonly string[],
  declared: Readonly<Record<string, Positional>>,
  path: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  let left = given;
  for (const [key, positional] of Object.entries(declared)) {
    if (left.length === 0 && !positional.optional && !positional.rest) {
      throw usage(`Cannot run ${path}: ${positional.value} is missing`, path);
    }
    values[key] = positional.rest ? left : left[0];
    left = positional.rest ? [] : left.slice(1);
  }
  if (left[0] !== undefined) {
    throw usage(`Cannot run ${path}: "${left[0]}" is one argument too many`, path);
  }
  return values;
}

function unknownFlag(
  name: string,
  flags: readonly { name: string; flag: Flag }[],
  path: string,
): KarotteError {
  const known = flags.filter(({ flag }) => !flag.hidden).flatMap(({ name, flag }) =>
    flag.type === "boolean" ? [`--${name}`, `--no-${name}`] : [`--${name}`]
  );
  // `--config=` reaches us whole.
  if (name.endsWith("=") && known.includes(name.slice(0, -1))) {
    return needsValue(name.slice(0, -1), path);
  }
  const guess = name.startsWith("--") ? didYouMean(name, [...known, "--help"]) : undefined;
  return usage(`Cannot use "${name}": no such flag`, path, guess);
}

function needsValue(name: string, path: string): KarotteError {
  return usage(`Cannot use ${name}: it needs a value`, path);
}

function usage(message: string, path: string, guess?: string): KarotteError {
  return new KarotteError("usage", message, {
    hint: `${guess ? `did you mean ${guess}? ` : ""}see ${path} --help`,
  });
}
