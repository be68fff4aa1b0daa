/** A package as an import names it. */
export interface PackageSpecifier {
  readonly registry: "npm" | "jsr" | "none";
  /** `zod`, `@scope/name`; a `jsr:` package has its own name, not the one npm knows it by. */
  readonly name: string;
  /** As written after `@`; absent: any version. */
  readonly range: string | undefined;
  /** With its leading slash; empty for the package itself. */
  readonly subpath: string;
}

const PACKAGE = /^(?:(npm|jsr):\/?)?((?:@[^/@\s]+\/)?[^/@\s.:][^/@\s:]*)(?:@([^/]*))?(\/.*)?$/;

/**
 * Reads `npm:`, `jsr:` and bare specifiers, `#name` of a package's own imports among them;
 * undefined: it is something else (a path, a URL).
 */
export function parsePackage(specifier: string): PackageSpecifier | undefined {
  const match = PACKAGE.exec(specifier);
  const name = match?.[2];
  if (match === null || name === undefined) return undefined;
  const registry = (match[1] ?? "none") as PackageSpecifier["registry"];
  return { registry, name, range: match[3] || undefined, subpath: match[4] ?? "" };
}

/** What `require` and enhanced-resolve look for in `node_modules`. */
export function nodeModulesName({ registry, name, subpath }: PackageSpecifier): string {
  if (registry !== "jsr") return name + subpath;
  // JSR's registry for npm publishes `@scope/name` so.
  return `@jsr/${name.slice(1).replace("/", "__")}${subpath}`;
}
