/** Finds what a TypeScript module imports, without a parser. */

/** Each specifier that the source imports, re-exports or `import()`s as a literal, in order. */
export function importsOf(source: string): string[] {
  const { code, strings } = replaceStrings(source);
  return [...code.matchAll(IMPORT)].map((match) => strings[Number(match[1] ?? match[2])] ?? "");
}

/** The source without comments, regular expressions, template text and what strings say. */
export function codeOf(source: string): string {
  return replaceStrings(source).code;
}

/** In code whose strings are numbers in quotes: `import .. from`, `export .. from`, `import(`. */
const IMPORT = /\b(?:import|export)\b(?:[^"();=]*?\bfrom)?\s*"(\d+)"|\bimport\s*\(\s*"(\d+)"/g;

/** One lexical element that may hold text that looks like code. */
const TEXT = new RegExp(
  [
    /\/\/[^\n]*|\/\*[^]*?\*\//, // comment
    /"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'/, // string
    // A slash begins a regular expression only where a value may begin.
    /(?<=(?:^|[=(,:;!&|?{}[\n]|=>|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//,
    /[`{}]/, // where templates and their substitutions begin and end
  ].map((pattern) => pattern.source).join("|"),
  "g",
);

/**
 * The source without comments, regular expressions and template text; each string is replaced by
 * its index in `strings`. Substitutions in templates stay, since they are code.
 */
function replaceStrings(source: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  /** For each open brace whether it is a template's substitution. */
  const braces: boolean[] = [];
  let code = "";
  let position = 0;
  for (;;) {
    TEXT.lastIndex = position;
    const match = TEXT.exec(source);
    if (match === null) return { code: code + source.slice(position), strings };
    const token = match[0];
    code += source.slice(position, match.index);
    position = match.index + token.length;
    const first = token[0];
    if (first === '"' || first === "'") code += `"${strings.push(token.slice(1, -1)) - 1}"`;
    else if (first === "/") code += " ";
    else if (first === "{") code += (braces.push(false), "{");
    else if (first === "`" || braces.pop()) {
      const text = templateText(source, position);
      position = text.end;
      code += " ";
      if (text.opensSubstitution) braces.push(true);
    } else code += "}";
  }
}

/** Where template text that begins at `start` ends: behind its backtick or `${`. */
function templateText(source: string, start: number) {
  const pattern = /(?:\\[^]|\$(?!\{)|[^\\`$])*(`|\$\{|$)/y;
  pattern.lastIndex = start;
  const match = pattern.exec(source);
  const end = match === null ? source.length : pattern.lastIndex;
  return { end, opensSubstitution: match?.[1] === "${" };
}
