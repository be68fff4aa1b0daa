import { pathToFileURL } from "node:url";

/**
 * The `imports` of a `deno.json` or of an import map. Keys are whole specifiers or end with a
 * slash; as in Deno, a key whose value is an `npm:` or `jsr:` package covers its sub-paths too.
 */
export class ImportMap {
  readonly #imports: Readonly<Record<string, string>>;
  readonly #base: URL;

  /** `path` is the file that the map stands in: relative values start from its folder. */
  constructor(imports: Readonly<Record<string, string>>, path: string) {
    this.#imports = imports;
    this.#base = pathToFileURL(path);
  }

  /** What the map says of a specifier: a package, a URL (`file:` for a path), or undefined. */
  lookUp(specifier: string): string | undefined {
    const exact = this.#value(specifier);
    if (exact !== undefined) return this.#absolute(exact);
    for (const key of this.#keysByLength()) {
      const value = this.#imports[key] ?? "";
      if (key.endsWith("/") && specifier.startsWith(key)) {
        return this.#absolute(value + specifier.slice(key.length));
      }
      if (/^(npm|jsr):/.test(value) && specifier.startsWith(`${key}/`)) {
        return value + specifier.slice(key.length);
      }
    }
    return undefined;
  }

  #value(key: string): string | undefined {
    return Object.hasOwn(this.#imports, key) ? this.#imports[key] : undefined;
  }

  #keysByLength(): string[] {
    return Object.keys(this.#imports).sort((a, b) => b.length - a.length);
  }

  #absolute(value: string): string {
    return /^(\.{0,2}\/|file:)/.test(value) ? new URL(value, this.#base).href : value;
  }
}
