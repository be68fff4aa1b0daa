/** What `--help` prints and the parser checks. */
export interface CommandDeclaration {
  /** Paragraphs for `--help`; indented lines are kept as they are. */
  readonly description: string;
  /** By name in camelCase: `turnLimit` is `--turn-limit`. */
  readonly flags?: Readonly<Record<string, Flag>>;
  /** By name, in order. */
  readonly positionals?: Readonly<Record<string, Positional>>;
}

export type Flag = StringFlag | NumberFlag | BooleanFlag;

interface AnyFlag {
  readonly help: string;
  /** One letter: `-c`. */
  readonly short?: string;
  readonly hidden?: boolean;
}

export interface StringFlag extends AnyFlag {
  readonly type: "string";
  /** What `--help` calls the value: `FILE`. */
  readonly value: string;
  /** May be given more than once; the value is then the list of all. */
  readonly repeatable?: boolean;
  readonly default?: string;
}

export interface NumberFlag extends AnyFlag {
  readonly type: "number" | "integer";
  readonly value: string;
  readonly min?: number;
  readonly default?: number;
}

/** `--name`, and `--no-name` for the opposite. */
export interface BooleanFlag extends AnyFlag {
  readonly type: "boolean";
  readonly default?: boolean;
}

export interface Positional {
  /** What `--help` calls it: `CONFIG_PATH`. */
  readonly value: string;
  readonly help: string;
  readonly optional?: boolean;
  /** Takes all that is left; only for the last one. */
  readonly rest?: boolean;
}

/** What a flag's key is called on the command line: `turnLimit` -> `turn-limit`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
