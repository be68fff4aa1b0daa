import { extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { KarotteError } from "../base/errors.ts";
import { type PackageRequest, packageRequest, requestKey } from "./packages/package_request.ts";
import { type PackageSpecifier, parsePackage } from "./specifier.ts";

/** The address of a plugin's module, read once and carried to whoever needs a part of it. */
export type ModuleTarget = FileTarget | PackageTarget | UnusableTarget;

interface Address {
  /** The address as somebody wrote it; messages call the module so. */
  readonly written: string;
  /** The same for all addresses of one module. */
  readonly key: string;
}

export interface FileTarget extends Address {
  readonly kind: "file";
  /** Absolute path; nobody has looked yet whether it is there. */
  readonly path: string;
}

export interface PackageTarget extends Address {
  readonly kind: "package";
  readonly package: PackageRequest;
  /** Path of the module in the package, with its leading slash; empty for the main one. */
  readonly subpath: string;
}

/** An address that no module can be loaded from. */
export interface UnusableTarget extends Address {
  readonly kind: "unusable";
  /** Says what is wrong with it. */
  readonly reason: string;
  readonly hint: string;
  /** The name of the package that was meant; undefined: it is no address of a package at all. */
  readonly packageName: string | undefined;
}

const PORTING = "port it: a .ts file that exports the same value, named here as " +
  '"./my_plugin.ts#NAME"; karotte plugins guide shows how';

/**
 * Reads a path (relative ones start from `baseDirectory`), a `file:` URL, or an `npm:` or `jsr:`
 * package. Looks at no disk.
 */
export function readTarget(written: string, baseDirectory: string): ModuleTarget {
  const scheme = /^(npm|jsr):/.exec(written)?.[1];
  if (scheme !== undefined) return packageTarget(written, scheme);
  const path = isPython(written) ? undefined : pathOf(written, baseDirectory);
  if (path !== undefined) return { kind: "file", written, path, key: path };
  return unusable(written, ...reasonAndHint(written));
}

/**
 * Reads an address like `readTarget`. Throws a plugin error for one that names neither a file nor a
 * package; `place` says where it was written.
 */
export function moduleTarget(
  written: string,
  baseDirectory: string,
  place: string,
): ModuleTarget {
  const target = readTarget(written, baseDirectory);
  if (target.kind !== "unusable" || target.packageName !== undefined) return target;
  const { reason, hint } = target;
  throw new KarotteError("plugin", `${place}: cannot use plugin "${written}": ${reason}`, { hint });
}

/** Returns the error for an address whose module can't be loaded. */
export function targetError(
  { written }: ModuleTarget,
  found: string,
  more: { readonly hint?: string; readonly cause?: unknown } = {},
): KarotteError {
  return new KarotteError("plugin", `Cannot load "${written}": ${found}`, more);
}

function packageTarget(written: string, scheme: string): PackageTarget | UnusableTarget {
  const specifier = parsePackage(written);
  if (specifier === undefined || (scheme === "jsr" && !specifier.name.startsWith("@"))) {
    const shape = scheme === "npm" ? "npm:NAME@VERSION" : "jsr:@SCOPE/NAME@VERSION";
    const name = specifier?.name ?? written.slice(scheme.length + 1);
    return unusable(written, "not the name of a package", `Write ${shape}.`, name);
  }
  return withRequest(written, specifier);
}

function withRequest(written: string, specifier: PackageSpecifier): PackageTarget | UnusableTarget {
  const { name, subpath } = specifier;
  const request = packageRequest(specifier);
  if (request === undefined) {
    const hint = "Write a version or a range of versions after the @.";
    return unusable(written, "not a version or a range", hint, name);
  }
  return {
    kind: "package",
    written,
    package: request,
    subpath,
    key: requestKey(request) + subpath,
  };
}

function unusable(
  written: string,
  reason: string,
  hint: string,
  packageName?: string,
): UnusableTarget {
  return { kind: "unusable", written, key: written, reason, hint, packageName };
}

/** Returns the absolute path; undefined: it is no path, and no URL of one. */
function pathOf(written: string, baseDirectory: string): string | undefined {
  if (/^\.{0,2}\//.test(written)) return resolve(baseDirectory, written);
  if (!written.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(written);
  } catch {
    // The caller says that it is no file's URL.
    return undefined;
  }
}

function reasonAndHint(written: string): [reason: string, hint: string] {
  if (isPython(written)) {
    return ["it is Python, and plugins are JavaScript or TypeScript modules", PORTING];
  }
  if (written.startsWith("file:")) {
    return ["not a file's URL", "write file:///PATH, or the path itself"];
  }
  if (/^[a-z][a-z+.-]*:/i.test(written)) {
    return ["only paths, npm: and jsr: are loaded", "install it, and name its file or package"];
  }
  if (/^\.[cm]?[jt]sx?$/.test(extname(written))) {
    return ["not a path", `paths start with ./ like "./${written}"`];
  }
  return [
    "neither a path nor a package of npm: or jsr:",
    `write "npm:${written}" or "./${written}.ts"; if it is a Python package, ${PORTING}`,
  ];
}

/** Returns true for a Python file, and an entry point as Python writes it: `acme.plugins:app`. */
function isPython(text: string): boolean {
  return /\.pyc?$/.test(text) || /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+:[A-Za-z_][\w.]*$/.test(text) ||
    /^(?!file:|node:|https?:|data:)[A-Za-z_]\w*:[A-Za-z_][\w.]*$/.test(text);
}
