/**
 * Stands in for `@std/cli` where JSR can't be reached: `parseArgs` with the documented behaviour
 * of the options below. Dotted names (`--a.b`) stay flat here: don't use them.
 */

/** All optional; names without their dashes. */
export interface ParseOptions {
  /** Flags without a value: false if absent. */
  boolean?: string | readonly string[];
  /** Options with a value; others become numbers where they look like one. `_`: positionals too. */
  string?: string | readonly string[];
  /** Options whose values are gathered in an array; `[]` if absent and a `string` or `boolean`. */
  collect?: string | readonly string[];
  /** Options that `--no-NAME` sets to false. */
  negatable?: string | readonly string[];
  /** Other names of an option; the result has the value under every name. */
  alias?: Readonly<Record<string, string | readonly string[]>>;
  default?: Readonly<Record<string, unknown>>;
  /** Take everything from the first positional on as positionals. */
  stopEarly?: boolean;
  /** Return what follows `--` under `"--"` instead of adding it to `_`. */
  "--"?: boolean;
  /** Called for what no option names, positionals included; it is dropped on `false`. */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** The value of each option, and the positionals as `_`. */
export type Args = Record<string, unknown> & { _: (string | number)[]; "--"?: string[] };

/** Parses command-line arguments. */
export function parseArgs(args: string[], options: ParseOptions = {}): Args {
  const end = args.indexOf("--");
  const rest = end < 0 ? [] : args.slice(end + 1);
  const parser = new Parser(end < 0 ? args : args.slice(0, end), options);
  const result = parser.parse();
  if (options["--"]) result["--"] = rest;
  else result._.push(...rest);
  return result;
}

type Value = string | number | boolean;

class Parser {
  readonly #args: readonly string[];
  readonly #options: ParseOptions;
  readonly #aliases: ReadonlyMap<string, readonly string[]>;
  readonly #boolean: ReadonlySet<string>;
  readonly #string: ReadonlySet<string>;
  readonly #collect: ReadonlySet<string>;
  readonly #negatable: ReadonlySet<string>;
  readonly #result: Args = { _: [] };
  #position = 0;

  constructor(args: readonly string[], options: ParseOptions) {
    this.#args = args;
    this.#options = options;
    this.#aliases = aliasGroups(options.alias ?? {});
    this.#boolean = this.#names(options.boolean);
    this.#string = this.#names(options.string);
    this.#collect = this.#names(options.collect);
    this.#negatable = this.#names(options.negatable);
  }

  parse(): Args {
    while (this.#position < this.#args.length) {
      const arg = this.#args[this.#position++]!;
      if (arg.startsWith("--")) this.#parseLong(arg);
      else if (arg.startsWith("-") && arg !== "-") this.#parseShort(arg);
      else if (!this.#parsePositional(arg)) break;
    }
    this.#addDefaults();
    return this.#result;
  }

  #parseLong(arg: string): void {
    const [, name = "", value] = /^--([^=]+)(?:=(.+))?$/s.exec(arg) ?? [arg, arg.slice(2)];
    if (value !== undefined) {
      this.#set(name, this.#boolean.has(name) ? value !== "false" : value, arg);
    } else if (name.startsWith("no-") && this.#negatable.has(name.slice(3))) {
      this.#set(name.slice(3), false, arg, { collect: false });
    } else {
      this.#set(name, this.#takeValue(name), arg);
    }
  }

  #parseShort(arg: string): void {
    const letters = arg.slice(1);
    for (const [index, letter] of [...letters].entries()) {
      const rest = letters.slice(index + 1);
      if (rest === "") this.#set(letter, this.#takeValue(letter), arg);
      else if (/^\W|^-?\d+(\.\d*)?(e-?\d+)?$/.test(rest)) {
        this.#set(letter, rest.startsWith("=") ? rest.slice(1) : rest, arg);
        return;
      } else this.#set(letter, this.#string.has(letter) ? "" : true, arg);
    }
  }

  /** False when everything that follows was taken. */
  #parsePositional(arg: string): boolean {
    if (this.#options.unknown?.(arg) !== false) {
      this.#result._.push(this.#string.has("_") ? arg : numberIfNumeric(arg));
    }
    if (!this.#options.stopEarly) return true;
    this.#result._.push(...this.#args.slice(this.#position));
    return false;
  }

  /** The value of an option that has none after `=`: the next argument unless it is a flag. */
  #takeValue(name: string): Value {
    const next = this.#args[this.#position];
    if (next === "true" || next === "false") {
      this.#position++;
      return this.#boolean.has(name) ? next === "true" : next;
    }
    if (next && !next.startsWith("-") && !this.#boolean.has(name)) {
      this.#position++;
      return next;
    }
    return this.#string.has(name) ? "" : true;
  }

  #set(name: string, value: Value, arg: string, { collect = true } = {}): void {
    const known = this.#boolean.has(name) || this.#string.has(name) || this.#aliases.has(name);
    if (!known && this.#options.unknown?.(arg, name, value) === false) return;
    if (typeof value === "string" && !this.#string.has(name)) value = numberIfNumeric(value);
    for (const key of this.#withAliases(name)) {
      if (collect && this.#collect.has(name)) {
        const before = this.#result[key];
        this.#result[key] = [...(Array.isArray(before) ? before : []), value];
      } else this.#result[key] = value;
    }
  }

  #addDefaults(): void {
    for (const [name, value] of Object.entries(this.#options.default ?? {})) {
      for (const key of this.#withAliases(name)) this.#addIfAbsent(key, value);
    }
    for (const name of this.#boolean) this.#addIfAbsent(name, this.#collect.has(name) ? [] : false);
    for (const name of this.#string) if (this.#collect.has(name)) this.#addIfAbsent(name, []);
  }

  #addIfAbsent(name: string, value: unknown): void {
    if (!Object.hasOwn(this.#result, name)) this.#result[name] = value;
  }

  #names(names: string | readonly string[] = []): ReadonlySet<string> {
    return new Set([names].flat().flatMap((name) => this.#withAliases(name)));
  }

  #withAliases(name: string): readonly string[] {
    return this.#aliases.get(name) ?? [name];
  }
}

/** From every name of an option to all of its names. */
function aliasGroups(alias: NonNullable<ParseOptions["alias"]>): Map<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const [name, others] of Object.entries(alias)) {
    const group = [name, ...[others].flat()];
    for (const member of group) groups.set(member, group);
  }
  return groups;
}

function numberIfNumeric(text: string): string | number {
  const numeric = /^0x[0-9a-f]+$/i.test(text) ||
    /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?$/.test(text);
  return numeric ? Number(text) : text;
}
