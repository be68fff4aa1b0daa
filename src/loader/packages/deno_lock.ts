import { KarotteError, messageOf } from "../../base/errors.ts";
import { shownPath } from "../../cache/file_tree.ts";
import { folderNames, npmName, type PackageRequest, requestKey } from "./package_request.ts";
import { type PackageSet, packageSet } from "./package_set.ts";
import { type GraphPackage, placePackages } from "./place_packages.ts";

interface DenoLock {
  readonly specifiers?: Readonly<Record<string, string>>;
  readonly npm?: Readonly<Record<string, DenoLockPackage>>;
  readonly jsr?: Readonly<Record<string, DenoLockPackage>>;
}

interface DenoLockPackage {
  readonly integrity?: string;
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/**
 * The versions that a `deno.lock` binds for those of the requests that it names, and for all that
 * they need. Undefined: it is not there, or names none. Throws a `KarotteError` if it can't be
 * read.
 */
export function readDenoLock(
  path: string,
  requests: readonly PackageRequest[],
): PackageSet | undefined {
  try {
    return packagesOf(new Graph(JSON.parse(Deno.readTextFileSync(path))), requests);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    const found = messageOf(cause);
    throw new KarotteError("usage", `Cannot read "${shownPath(path)}": ${found}`, {
      hint: "Make it anew with `deno install`.",
      cause,
    });
  }
}

function packagesOf(graph: Graph, requests: readonly PackageRequest[]): PackageSet | undefined {
  const folders = folderNames(requests);
  const roots = new Map<string, string>();
  const imports: Record<string, string> = {};
  for (const request of requests) {
    const key = requestKey(request);
    const id = graph.idOf(key);
    const folder = folders.get(key);
    if (id === undefined || folder === undefined) continue;
    imports[key] = folder;
    roots.set(folder, id);
  }
  if (roots.size === 0) return undefined;
  return packageSet.parse({ imports, packages: placePackages(roots, (id) => graph.package(id)) });
}

/** Ids are `npm:name@version_peers` and `jsr:@scope/name@version`. */
class Graph {
  readonly #lock: DenoLock;

  constructor(lock: DenoLock) {
    if (typeof lock !== "object" || lock === null) throw new TypeError("not a JSON object");
    this.#lock = lock;
  }

  /** What a specifier was resolved to; those without a range are written with `@*`. */
  idOf(specifier: string): string | undefined {
    const { specifiers = {} } = this.#lock;
    const version = specifiers[specifier] ?? specifiers[`${specifier}@*`] ??
      onlyOne(specifiers, specifier);
    const match = /^((?:npm|jsr):@?[^@]+)/.exec(specifier);
    return version === undefined || match === null ? undefined : `${match[1]}@${version}`;
  }

  package(id: string): GraphPackage {
    const match = /^(npm|jsr):(@?[^@]+)@([^_]+)/.exec(id);
    const [, registry = "", own = "", version = ""] = match ?? [];
    const isNpm = registry === "npm";
    const entry = (isNpm ? this.#lock.npm : this.#lock.jsr)?.[id.slice(4)];
    if (entry === undefined) throw new TypeError(`it has no "${id}"`);
    const name = npmName({ registry: isNpm ? "npm" : "jsr", name: own, range: undefined });
    const { integrity, os, cpu, dependencies = [], optionalDependencies = [] } = entry;
    const list = (ids: readonly string[]) =>
      new Map(
        ids.map((written) => isNpm ? this.#npmDependency(written) : this.#jsrDependency(written)),
      );
    return {
      name,
      fields: {
        version,
        // That of JSR is not of the archive that npm gets.
        ...(isNpm && integrity !== undefined ? { integrity } : {}),
        ...(os === undefined ? {} : { os: [...os] }),
        ...(cpu === undefined ? {} : { cpu: [...cpu] }),
      },
      dependencies: list(dependencies),
      optionalDependencies: list(optionalDependencies),
    };
  }

  /** `name` where there is one version of it, `name@version`, or `alias@npm:name@version`. */
  #npmDependency(written: string): [name: string, id: string] {
    const [, name = "", rest] = /^(@?[^@]+)(?:@(.*))?$/.exec(written) ?? [];
    if (rest === undefined) return [name, `npm:${onlyKey(this.#lock.npm ?? {}, `${name}@`)}`];
    return [name, rest.startsWith("npm:") ? rest : `npm:${name}@${rest}`];
  }

  /** A specifier, whose range is left out where there is one of its name. */
  #jsrDependency(written: string): [name: string, id: string] {
    const id = this.idOf(written);
    if (id === undefined) throw new TypeError(`it has no "${written}"`);
    return [this.package(id).name, id];
  }
}

function onlyOne(specifiers: Readonly<Record<string, string>>, specifier: string) {
  if (/.@/.test(specifier.slice(4))) return undefined;
  const found = Object.keys(specifiers).filter((key) => key.startsWith(`${specifier}@`));
  const [first] = found;
  return first === undefined || found.length > 1 ? undefined : specifiers[first];
}

function onlyKey(packages: Readonly<Record<string, unknown>>, start: string): string {
  const [found] = Object.keys(packages).filter((key) => key.startsWith(start));
  if (found === undefined) throw new TypeError(`it has no "${start.slice(0, -1)}"`);
  return found;
}
