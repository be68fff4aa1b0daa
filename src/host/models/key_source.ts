import { keyVariableOf, PLACEHOLDER_KEY } from "../../models/key_variable.ts";

/** Where a key comes from. */
export interface KeySource {
  /** The key itself. */
  readonly literal?: string;
  /** The variable that holds it. */
  readonly variable?: string;
  /** To be told when its value is used. */
  readonly warning?: string;
  /** What to say when there is no value. */
  readonly missing?: string;
}

/** The key of a source, with what the user is to be told of it. */
export interface FoundKey {
  /** Null: none is needed. */
  readonly key: string | null;
  readonly warnings: readonly string[];
}

/** What a field of the config says: a key, or `$NAME` of a variable. */
export function namedSource(field: string, value: string): KeySource {
  if (!value.startsWith("$")) return { literal: value };
  const variable = value.slice(1);
  if (/^[A-Za-z_]\w*$/.test(variable)) {
    return { variable, missing: `${variable}, which ${field} names, is not set` };
  }
  // Not shown: it may be a key that begins with a dollar sign.
  return { missing: `what stands after the "$" of ${field} is no name of a variable` };
}

/** The variable of the model's provider; undefined: the model needs no key. */
export function providerSource(model: string): KeySource | undefined {
  const variable = keyVariableOf(model);
  if (variable === null) return undefined;
  const { name, isGuess } = variable;
  const warning = `the key of model "${model}" is taken from ${name}, a guess: name the variable ` +
    `with "$NAME" to be sure`;
  return { variable: name, missing: `${name} is not set`, ...(isGuess ? { warning } : {}) };
}

/**
 * Those of the keys that nobody may see: neither placeholders nor `$NAME`, which is kept where that
 * variable is not set; no key begins like one.
 */
export function secretKeys(keys: readonly (string | null)[]): string[] {
  return keys.filter((key) => key !== null)
    .filter((key) => key !== PLACEHOLDER_KEY && !key.startsWith("$"));
}

/** The key of a source; undefined: it has none. Without a source no key is needed. */
export function lookUp(
  source: KeySource | undefined,
  { env, proxied }: {
    readonly env: (name: string) => string | undefined;
    readonly proxied?: boolean;
  },
): FoundKey | undefined {
  if (source === undefined) return { key: null, warnings: [] };
  const { literal, variable, warning } = source;
  if (literal !== undefined) return { key: literal, warnings: [] };
  if (variable === undefined) return undefined;
  const value = env(variable);
  if (proxied && !value) return { key: PLACEHOLDER_KEY, warnings: [] };
  return value === undefined
    ? undefined
    : { key: value, warnings: warning === undefined ? [] : [warning] };
}
