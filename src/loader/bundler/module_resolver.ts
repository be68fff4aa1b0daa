import { isBuiltin } from "node:module";
import { dirname, isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Manner, ResolveFile } from "./file_resolver.ts";
import type { ImportMap } from "../import_map.ts";
import type { FoundBy, Places } from "./places.ts";
import type { SharedModule, SharedModules } from "../shared_modules.ts";
import { dependencyRange, isDirectlyIn, isInRange } from "./package_folder.ts";
import type { PackageFolders } from "../packages/package_folders.ts";
import { packageRequest, requestKey } from "../packages/package_request.ts";
import { nodeModulesName, type PackageSpecifier, parsePackage } from "../specifier.ts";
import type { VersionRanges } from "../version_ranges.ts";

/** What an import leads to. */
export type Resolution =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "shared"; readonly module: SharedModule }
  /** Left to whoever runs the bundle. */
  | { readonly kind: "external"; readonly specifier: string }
  /** What is wrong, for the author. */
  | { readonly kind: "refused"; readonly text: string; readonly hint?: string };

export interface ModuleResolverOptions {
  readonly places: Places;
  readonly imports: ImportMap;
  readonly shared: SharedModules;
  readonly resolveFile: ResolveFile;
  readonly ranges: VersionRanges;
  /** What is asked for the packages that no `node_modules` of the author has. */
  readonly packages: PackageFolders;
  /** Folder of the package that is bundled, if one is: it shares our zod, as own modules do. */
  readonly bundledPackage?: string;
}

const SDK_NAMES = new Set(["@karotte/cli", "@jsr/karotte__cli"]);

/** Decides what the imports of an environment or a plugin mean. Pure but for looking at files. */
export class ModuleResolver {
  readonly #options: ModuleResolverOptions;

  constructor(options: ModuleResolverOptions) {
    this.#options = options;
  }

  /** `importer` is the path of the file that imports. */
  resolve(specifier: string, importer: string, manner: Manner): Resolution {
    const { places, imports } = this.#options;
    const isOwn = places.isOwn(importer);
    const mapped = (isOwn ? imports.lookUp(specifier) : undefined) ?? specifier;
    // A map may lead to another zod, but never to another sdk: `instanceof` would not hold.
    const shared = this.#sdk(mapped) ?? this.#sdk(specifier) ?? this.#zod(mapped, importer, isOwn);
    if (shared !== undefined) return shared;
    if (isBuiltin(mapped)) {
      return { kind: "external", specifier: `node:${mapped.replace(/^node:/, "")}` };
    }
    const package_ = isAbsolute(mapped) ? undefined : parsePackage(mapped);
    return package_ === undefined
      ? this.#file(mapped, importer, manner)
      : this.#package(package_, importer, manner);
  }

  #sdk(specifier: string): Resolution | undefined {
    const wanted = parsePackage(specifier);
    if (wanted === undefined || !SDK_NAMES.has(wanted.name)) return undefined;
    return sharedSdk(wanted, this.#options);
  }

  /** Our own zod where its version will do. */
  #zod(specifier: string, importer: string, isOwn: boolean): Resolution | undefined {
    const { shared: { zod }, bundledPackage, ranges } = this.#options;
    const wanted = parsePackage(specifier);
    if (wanted?.name !== "zod" || wanted.registry === "jsr") return undefined;
    const isWhole = wanted.subpath === "" || wanted.subpath === "/v4";
    const isBundled = bundledPackage !== undefined && isDirectlyIn(bundledPackage, importer);
    if (!isWhole || !(isOwn || isBundled)) return undefined;
    const range = wanted.range ?? (isBundled ? dependencyRange(bundledPackage, "zod") : "*");
    return ranges.satisfies(zod.version, range) ? { kind: "shared", module: zod } : undefined;
  }

  #file(specifier: string, importer: string, manner: Manner): Resolution {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(specifier)?.[1]?.toLowerCase();
    if (scheme === "data") return { kind: "external", specifier };
    if (scheme === "http" || scheme === "https") {
      return {
        kind: "refused",
        text: `Cannot import "${specifier}": modules are not fetched from the web`,
        hint: "Use an npm: or jsr: package, or keep a copy of the file.",
      };
    }
    if (scheme !== undefined && scheme !== "file") {
      return { kind: "refused", text: `Cannot import "${specifier}": unknown scheme` };
    }
    const path = manner === "require" ? specifier : pathOf(specifier, importer);
    if (path === undefined) {
      return { kind: "refused", text: `Cannot import "${specifier}": not a file's URL` };
    }
    const found = this.#options.resolveFile(dirname(importer), path, manner);
    if (found === undefined) {
      return { kind: "refused", text: `Cannot import "${specifier}": no such file` };
    }
    // What begins with # may be another package, by the names in the importer's package.json.
    const foundBy = specifier.startsWith("#") ? { package: specifier } : { importer };
    return this.#readable(specifier, found, foundBy);
  }

  #package(package_: PackageSpecifier, importer: string, manner: Manner): Resolution {
    const { places, packages, resolveFile, ranges } = this.#options;
    const name = nodeModulesName(package_);
    const near = resolveFile(dirname(importer), name, manner);
    // What a package imports is where npm put it.
    const request = places.isOwn(importer) ? packageRequest(package_) : undefined;
    if (near !== undefined && (request === undefined || isInRange(near, request, ranges))) {
      return this.#readable(name, near, { package: name });
    }
    if (request === undefined) return this.#notInstalled(package_, importer, manner);
    const folder = packages.folderOf(request);
    if (folder === undefined) {
      packages.missing.set(requestKey(request), request);
      return { kind: "external", specifier: name };
    }
    const found = resolveFile(folder.directory, folder.name + package_.subpath, manner);
    return found === undefined ? noSuchFile(package_) : { kind: "file", path: found };
  }

  #notInstalled(package_: PackageSpecifier, importer: string, manner: Manner): Resolution {
    const root = nodeModulesName({ ...package_, subpath: "" });
    if (this.#options.resolveFile(dirname(importer), `${root}/package.json`, manner)) {
      return noSuchFile(package_);
    }
    return {
      kind: "refused",
      text: `Cannot import the package "${shown(package_)}": not installed`,
      hint: package_.registry === "none"
        ? `Write "npm:${package_.name}", or say in "imports" of deno.json which package that is.`
        : "Write a version or a range of versions after the @.",
    };
  }

  #readable(specifier: string, path: string, foundBy: FoundBy): Resolution {
    const unreadable = this.#options.places.whyUnreadable(path, foundBy);
    if (unreadable === undefined) return { kind: "file", path };
    const { found, hint } = unreadable;
    return { kind: "refused", text: `Cannot import "${specifier}": ${found}`, hint };
  }
}

function noSuchFile(package_: PackageSpecifier): Resolution {
  const { subpath } = package_;
  const what = subpath === "" ? "the package" : `"${subpath}" of the package`;
  return {
    kind: "refused",
    text: `Cannot import ${what} "${shown(package_)}": it has no such file`,
  };
}

function shown({ registry, name, range }: PackageSpecifier): string {
  if (registry === "none") return name;
  return `${registry}:${name}${range === undefined ? "" : `@${range}`}`;
}

function sharedSdk(
  { name, range, subpath }: PackageSpecifier,
  { shared: { sdk }, ranges }: Pick<ModuleResolverOptions, "shared" | "ranges">,
): Resolution {
  if (range !== undefined && !ranges.satisfies(sdk.version, range)) {
    return {
      kind: "refused",
      text: `Cannot import "${name}@${range}": this is Karotte ${sdk.version}`,
      hint: "Use a Karotte of that version, or change the version in deno.json.",
    };
  }
  if (subpath !== sdk.key) {
    return {
      kind: "refused",
      text: `Cannot import "${name}${subpath}": no such module`,
      hint: `There is "@karotte/cli${sdk.key}".`,
    };
  }
  return { kind: "shared", module: sdk };
}

/** Imports are URLs, relative ones too: `%20` is a space. Undefined: it is none of a file. */
function pathOf(specifier: string, importer: string): string | undefined {
  try {
    return fileURLToPath(new URL(specifier, pathToFileURL(importer)));
  } catch {
    return undefined;
  }
}
