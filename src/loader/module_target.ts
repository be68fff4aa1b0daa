import { extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { KarotteError, type KarotteErrorOptions } from "../base/errors.ts";
import { type PackageSpecifier, parsePackage } from "./specifier.ts";

/** What a specifier of a plugin names. */
export type ModuleTarget =
  /** A real path, if the file is there. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "package"; readonly package: PackageSpecifier };

const EXTENSIONS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];

/**
 * Reads a path (relative ones start from `baseDirectory`), a `file:` URL, or an `npm:` or `jsr:`
 * package. Throws a `KarotteError` for everything else, and for a file that is not there.
 */
export function moduleTarget(specifier: string, baseDirectory: string): ModuleTarget {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(specifier)?.[1]?.toLowerCase();
  if (scheme === "npm" || scheme === "jsr") return packageTarget(specifier, scheme);
  if (scheme !== undefined && scheme !== "file") {
    throw refused(specifier, `modules are not fetched by "${scheme}:"`, {
      hint: "Name a file, or a package as npm:NAME@VERSION or jsr:@SCOPE/NAME@VERSION.",
    });
  }
  const path = scheme === "file" ? pathOfUrl(specifier) : resolve(baseDirectory, specifier);
  if (!EXTENSIONS.includes(extname(path))) {
    const isBare = parsePackage(specifier) !== undefined && extname(path) === "";
    throw refused(specifier, `not a JavaScript or TypeScript file`, {
      hint: isBare
        ? `Write "npm:${specifier}" for a package, or the file's path with its extension.`
        : `Files end in ${EXTENSIONS.join(" ")}.`,
    });
  }
  return { kind: "file", path: realFile(specifier, path) };
}

function packageTarget(specifier: string, scheme: "npm" | "jsr"): ModuleTarget {
  const package_ = parsePackage(specifier);
  if (package_ !== undefined && (scheme === "npm" || package_.name.startsWith("@"))) {
    return { kind: "package", package: package_ };
  }
  throw refused(specifier, "not the name of a package", {
    hint: scheme === "npm" ? "Write npm:NAME@VERSION." : "Write jsr:@SCOPE/NAME@VERSION.",
  });
}

function pathOfUrl(specifier: string): string {
  try {
    return fileURLToPath(specifier);
  } catch (cause) {
    throw refused(specifier, "not a file's URL", { cause });
  }
}

function realFile(specifier: string, path: string): string {
  try {
    const real = Deno.realPathSync(path);
    if (Deno.statSync(real).isFile) return real;
  } catch (cause) {
    const isGone = cause instanceof Deno.errors.NotFound ||
      cause instanceof Deno.errors.NotADirectory;
    throw refused(specifier, isGone ? "no such file" : String(cause), { cause });
  }
  throw refused(specifier, "not a file");
}

function refused(specifier: string, found: string, options?: KarotteErrorOptions): KarotteError {
  return new KarotteError("plugin", `Cannot load "${specifier}": ${found}`, options);
}
