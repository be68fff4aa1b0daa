/** The settings of an `.npmrc`, by key: lists have several values, and null is none at all. */
export type Npmrc = ReadonlyMap<string, NpmrcValue>;

type NpmrcValue = string | readonly string[] | null;

/** What `ini`, which has no types of its own, makes of a text; a section is an object. */
type Ini = Readonly<Record<string, IniValue | readonly IniValue[] | object>>;

type IniValue = string | boolean | null;

/**
 * Reads the text of an `.npmrc` as npm does, with the same code. `${NAME}` is replaced by what
 * `variable` says, and by nothing for `${NAME?}` where it says nothing; without `variable`,
 * settings that mention one are left out.
 */
export async function parseNpmrc(
  text: string,
  variable: ((name: string) => string | undefined) | undefined,
): Promise<Npmrc> {
  // A bundle has no other export of a CommonJS package.
  const { default: ini } = await import("ini");
  const parsed: Ini = ini.parse(text);
  const settings = new Map<string, NpmrcValue>();
  for (const [written, value] of Object.entries(parsed)) {
    const key = expanded(written, variable);
    const setting = settingOf(value, variable);
    if (key !== undefined && setting !== undefined) settings.set(key, setting);
  }
  return settings;
}

/**
 * Returns a value as text; undefined: a section, which npm does not read, or what mentions a
 * variable that must not count.
 */
function settingOf(
  value: Ini[string],
  variable: ((name: string) => string | undefined) | undefined,
): NpmrcValue | undefined {
  if (value === null) return null;
  if (typeof value !== "object") return expanded(String(value), variable);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => expanded(String(item), variable) ?? []);
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
