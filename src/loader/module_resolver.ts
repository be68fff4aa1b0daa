import { isBuiltin } from "node:module";
import { dirname, isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Manner, ResolveFile } from "./file_resolver.ts";
import type { ImportMap } from "./import_map.ts";
import type { Places } from "./places.ts";
import { shownPath } from "./shown_path.ts";
import type { SharedModule, SharedModules } from "./shared_modules.ts";
import { nodeModulesName, type PackageSpecifier, parsePackage } from "./specifier.ts";
import { satisfies } from "./version_range.ts";

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
}

const SDK_NAMES = new Set(["@karotte/cli", "@jsr/karotte__cli"]);

/** Decides what the imports of an environment mean. Pure but for looking at files. */
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
    const shared = this.#sdk(mapped) ?? this.#sdk(specifier) ?? (isOwn && this.#zod(mapped));
    if (shared) return shared;
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
    return sharedSdk(wanted, this.#options.shared.sdk);
  }

  /** Our own zod where its version will do. */
  #zod(specifier: string): Resolution | undefined {
    const { zod } = this.#options.shared;
    const wanted = parsePackage(specifier);
    if (wanted?.name !== "zod" || wanted.registry === "jsr") return undefined;
    const isWhole = wanted.subpath === "" || wanted.subpath === "/v4";
    if (!isWhole || !satisfies(zod.version, wanted.range ?? "*")) return undefined;
    return { kind: "shared", module: zod };
  }

  #file(specifier: string, importer: string, manner: Manner): Resolution {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(specifier)?.[1]?.toLowerCase();
    if (scheme === "data") return { kind: "external", specifier };
    if (scheme === "http" || scheme === "https") {
      return {
        kind: "refused",
        text: `Cannot import "${specifier}": modules are not fetched from the web`,
        hint: "Use an npm: or jsr: package, or keep a copy in the environment.",
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
    return this.#readable(specifier, found);
  }

  #package(package_: PackageSpecifier, importer: string, manner: Manner): Resolution {
    const name = nodeModulesName(package_);
    const found = this.#options.resolveFile(dirname(importer), name, manner);
    if (found !== undefined) return this.#readable(name, found);
    const { registry, range } = package_;
    const shown = registry === "none"
      ? package_.name
      : `${registry}:${package_.name}${range === undefined ? "" : `@${range}`}`;
    const root = nodeModulesName({ ...package_, subpath: "" });
    if (this.#options.resolveFile(dirname(importer), `${root}/package.json`, manner)) {
      return {
        kind: "refused",
        text: `Cannot import "${package_.subpath}" of the package "${shown}": it has no such file`,
      };
    }
    return {
      kind: "refused",
      text: `Cannot import the package "${shown}": not installed`,
      hint: 'Run `deno install` in the environment (its deno.json needs "nodeModulesDir": "auto").',
    };
  }

  /** An environment may be a stranger's: its modules must not carry the user's files away. */
  #readable(specifier: string, path: string): Resolution {
    const { places } = this.#options;
    if (places.isReadable(path)) return { kind: "file", path };
    return {
      kind: "refused",
      text: `Cannot import "${specifier}": "${shownPath(path)}" lies outside the environment`,
      hint: `Only files in "${shownPath(places.directory)}" and installed packages are bundled.`,
    };
  }
}

function sharedSdk(wanted: PackageSpecifier, sdk: SharedModule): Resolution {
  const { name, range, subpath } = wanted;
  if (range !== undefined && !satisfies(sdk.version, range)) {
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
