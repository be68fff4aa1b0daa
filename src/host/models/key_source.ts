import { keyVariableOf, PLACEHOLDER_KEY } from "../../models/key_variable.ts";
import { isRedactable, NOT_REDACTABLE } from "../../records/redactor.ts";

/** The place that a key is taken from. */
export interface KeySource {
  /** The field or the variable, for messages: never the key itself. */
  readonly name: string;
  /** The key itself. */
  readonly literal?: string;
  /** The variable that holds it. */
  readonly variable?: string;
  /** A warning for the user when its value is used. */
  readonly warning?: string;
  /** True: the user named the variable, so that it must be set. */
  readonly isNamed?: boolean;
  /** The reason to give when there is no value. */
  readonly missing?: string;
}

/** The key of a source, with warnings for the user. */
export interface FoundKey {
  /** Null: none is needed. */
  readonly key: string | null;
  readonly warnings: readonly string[];
}

/** The absence of a key that is needed. */
export interface NoKey {
  readonly key: undefined;
  /** The reason why there is none. */
  readonly missing: string;
  /** The variable is not set; else it holds what is no key. */
  readonly isUnset: boolean;
}

/** Returns the source that a field of the config names: a key, or `$NAME` of a variable. */
export function namedSource(field: string, value: string): KeySource {
  if (!value.startsWith("$")) return { name: field, literal: value };
  const variable = value.slice(1);
  if (/^[A-Za-z_]\w*$/.test(variable)) {
    const missing = `${variable}, which ${field} names, is not set`;
    return { name: variable, variable, isNamed: true, missing };
  }
  // Not shown: it may be a key that begins with a dollar sign.
  return { name: field, missing: `what stands after the "$" of ${field} is no name of a variable` };
}

/** Returns the variable of the model's provider; undefined: the model needs no key. */
export function providerSource(model: string): KeySource | undefined {
  const variable = keyVariableOf(model);
  if (variable === null) return undefined;
  const { name, isGuess } = variable;
  const warning = `the key of model "${model}" is taken from ${name}, a guess: name the variable ` +
    `with "$NAME" to be sure`;
  return { name, variable: name, missing: `${name} is not set`, ...(isGuess ? { warning } : {}) };
}

/** Returns those of the keys that nobody may see: all but placeholders. */
export function secretKeys(keys: readonly (string | null)[]): string[] {
  return keys.filter((key) => key !== null).filter((key) => key !== PLACEHOLDER_KEY);
}

/** Matches printable ASCII without spaces: all that a header takes as it is. */
const SENDABLE = /^[\x21-\x7e]*$/;

/** Returns the key of a source, or why it has none. Without a source no key is needed. */
export function lookUp(
  source: KeySource | undefined,
  { readVariable, proxied, replayed }: {
    readonly readVariable: (name: string) => string | undefined;
    readonly proxied?: boolean;
    readonly replayed?: boolean;
  },
): FoundKey | NoKey {
  if (source === undefined) return { key: null, warnings: [] };
  const { literal, variable, warning, name, missing = `${name} holds no key` } = source;
  const value = literal ?? (variable === undefined ? undefined : readVariable(variable));
  const isOptional = proxied && variable !== undefined && !source.isNamed;
  if ((isOptional && !value) || (replayed && (!value || !SENDABLE.test(value)))) {
    return { key: PLACEHOLDER_KEY, warnings: [] };
  }
  if (value === undefined) return { key: undefined, isUnset: true, missing };
  if (!SENDABLE.test(value)) {
    return {
      key: undefined,
      isUnset: false,
      missing: `${name} holds a space, a line break or another character that no key has`,
    };
  }
  const warnings = warning === undefined ? [] : [warning];
  if (value !== "" && !isRedactable(value)) warnings.push(`the key in ${name} ${NOT_REDACTABLE}`);
  return { key: value, warnings };
}
