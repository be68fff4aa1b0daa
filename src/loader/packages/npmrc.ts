/** The settings of an `.npmrc`, by key; a key that ends in `[]` has several values. */
export type Npmrc = ReadonlyMap<string, string | readonly string[]>;

/**
 * Reads the text of an `.npmrc`. `${NAME}` is replaced by what `variable` says, and by nothing for
 * `${NAME?}` where it says nothing; without `variable`, values that mention one are left out.
 */
export function parseNpmrc(
  text: string,
  variable: ((name: string) => string | undefined) | undefined,
): Npmrc {
  const settings = new Map<string, string | string[]>();
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^;#=\s[][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (match === null) continue;
    const [, key = "", written = ""] = match;
    const value = expanded(unquoted(written), variable);
    const name = expanded(key, variable);
    if (value === undefined || name === undefined) continue;
    if (!name.endsWith("[]")) settings.set(name, value);
    else settings.set(name, [...settings.get(name) ?? [], value]);
  }
  return settings;
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value.replace(/\s[;#].*$/, "");
}

function expanded(
  value: string,
  variable: ((name: string) => string | undefined) | undefined,
): string | undefined {
  const pattern = /(?<!\\)\$\{([^${}?]+)(\?)?\}/g;
  if (variable === undefined) return pattern.test(value) ? undefined : value;
  return value.replace(
    pattern,
    (written, name, optional) => variable(name) ?? (optional === undefined ? written : ""),
  );
}
