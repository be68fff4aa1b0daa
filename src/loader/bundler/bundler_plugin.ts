import { extname } from "node:path";
import type { OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from "esbuild-wasm";
import { digestOf } from "../../cache/digest.ts";
import type { Manner } from "./file_resolver.ts";
import {
  META_BASE_SOURCE,
  META_SPECIFIER,
  metaSource,
  withCommonJsNames,
  withImportMeta,
} from "./import_meta.ts";
import type { ModuleResolver, Resolution } from "./module_resolver.ts";
import { isEsModule, sourceKind, withoutSourceMapLink } from "./module_source.ts";
import { packageRoot } from "./package_folder.ts";
import type { Places } from "./places.ts";
import { shownPath } from "../../cache/file_tree.ts";
import { type SharedModules, sharedModuleSource } from "../shared_modules.ts";

export interface BundlerPluginOptions {
  readonly places: Places;
  readonly resolver: ModuleResolver;
  readonly shared: SharedModules;
  /** Source of the module that is bundled as `ENTRY_SPECIFIER`. */
  readonly entrySource: string;
  /**
   * Where the copy is of what is bundled from a copy; undefined: the place's file itself is read.
   */
  readonly copyOf?: (place: string) => string | undefined;
}

/** What a build read. */
export interface BuildInputs {
  /** Digest of each file by its path, but for what was read from a copy. */
  readonly files: Map<string, string>;
  /** Root folders of packages that look for files of their own at run time. */
  readonly packages: Set<string>;
}

export const ENTRY_SPECIFIER = "karotte-entry:";
const SHARED_NAMESPACE = "karotte-shared";
const VIRTUAL_NAMESPACE = "karotte";
const NATIVE_NAMESPACE = "karotte-native";
const COMMON_JS_NAMESPACE = "karotte-cjs";

/**
 * In a module whose name ends so the bundler takes all of `module.exports` for the default export
 * of CommonJS, as Deno and node do; elsewhere it takes `exports.default` where `__esModule` is set.
 */
const NODE_MODE = ".mjs";

/** Feeds the bundler, which has no file system of its own: every import and every file. */
export function bundlerPlugin(
  options: BundlerPluginOptions,
  inputs: BuildInputs,
): Plugin {
  const { places, resolver, shared } = options;
  return {
    name: "karotte",
    setup(build) {
      build.onResolve({ filter: /.*/ }, (args) => resolveImport(args));
      build.onLoad({ filter: /.*/, namespace: VIRTUAL_NAMESPACE }, ({ path }) => virtual(path));
      build.onLoad({ filter: /.*/, namespace: SHARED_NAMESPACE }, ({ path }) => ({
        contents: sharedModuleSource(path === shared.zod.key ? shared.zod : shared.sdk),
      }));
      build.onLoad({ filter: /.*/, namespace: NATIVE_NAMESPACE }, ({ path }) => native(path));
      build.onLoad({ filter: /.*/, namespace: COMMON_JS_NAMESPACE }, ({ path }) => commonJs(path));
      build.onLoad(
        { filter: /.*/, namespace: "file" },
        (args) => loadFile(args.path, args.with),
      );
    },
  };

  function resolveImport(args: OnResolveArgs): OnResolveResult {
    const { path, kind, importer, namespace } = args;
    if (path.startsWith(META_SPECIFIER) || path === ENTRY_SPECIFIER) {
      return { path, namespace: VIRTUAL_NAMESPACE };
    }
    // What we generated names places, and asks node for its own.
    if (kind === "entry-point" || namespace !== "file") {
      return path.startsWith("node:") ? { path, external: true } : { path, namespace: "file" };
    }
    const manner: Manner = kind.startsWith("require") ? "require" : "import";
    const importingFile = places.pathOf(importer);
    const resolution = resolver.resolve(path, importingFile, manner);
    return resolveResult(resolution, args, places.isOwn(importingFile));
  }

  function resolveResult(
    resolution: Resolution,
    args: OnResolveArgs,
    isOwn: boolean,
  ): OnResolveResult {
    switch (resolution.kind) {
      case "external":
        return { path: resolution.specifier, external: true };
      case "shared":
        return { path: resolution.module.key, namespace: SHARED_NAMESPACE };
      case "file":
        return fileResult(resolution.path, isOwn && !args.kind.startsWith("require"));
      case "refused": {
        // Packages try what may not be there in try/catch; it then fails at run time, as in node.
        if (!isOwn && args.kind !== "import-statement") return { path: args.path, external: true };
        const notes = resolution.hint === undefined ? [] : [{ text: resolution.hint }];
        return { errors: [{ text: resolution.text, notes }] };
      }
    }
  }

  function fileResult(path: string, isOwnImport: boolean): OnResolveResult {
    const place = places.placeOf(path);
    if (extname(path) === ".node") return { path: place, namespace: NATIVE_NAMESPACE };
    if (isOwnImport && isCommonJsPackage(path)) {
      return { path: place + NODE_MODE, namespace: COMMON_JS_NAMESPACE };
    }
    return { path: place, namespace: "file" };
  }

  function isCommonJsPackage(path: string): boolean {
    return !places.isOwn(path) && /\.c?js$/.test(path) &&
      !isEsModule(path, Deno.readTextFileSync(path));
  }

  function virtual(path: string): OnLoadResult {
    if (path === ENTRY_SPECIFIER) return { contents: options.entrySource };
    const place = path.slice(META_SPECIFIER.length);
    return { contents: place === "" ? META_BASE_SOURCE : metaSource(place) };
  }

  function commonJs(path: string): OnLoadResult {
    const place = JSON.stringify(path.slice(0, -NODE_MODE.length));
    return { contents: `import all from ${place}; export * from ${place}; export default all;` };
  }

  function native(place: string): OnLoadResult {
    addPackage(places.pathOf(place));
    return {
      contents: `import { metaOf } from "${META_SPECIFIER}";
const { filename } = metaOf(${JSON.stringify(place)});
module.exports = __karotte_create_require(filename)(filename);`,
    };
  }

  async function loadFile(
    place: string,
    attributes: Record<string, string>,
  ): Promise<OnLoadResult> {
    const path = places.pathOf(place);
    const kind = sourceKind(path, attributes);
    if ("refused" in kind) {
      return { errors: [{ text: `Cannot import "${shownPath(path)}": ${kind.refused}` }] };
    }
    const copy = options.copyOf?.(place);
    const bytes = await Deno.readFile(copy ?? path);
    if (copy === undefined) inputs.files.set(path, digestOf(bytes));
    if (kind.loader === "binary") return { contents: bytes, loader: kind.loader };
    const text = new TextDecoder().decode(bytes);
    if (!kind.isScript) return { contents: text, loader: kind.loader };
    return { contents: script(text, place, path), loader: kind.loader };
  }

  function script(text: string, place: string, path: string): string {
    const isOwn = places.isOwn(path);
    const code = isOwn ? text : withoutSourceMapLink(text);
    const withMeta = isEsModule(path, code)
      ? withImportMeta(code, place)
      : withCommonJsNames(code, place);
    if (!isOwn && withMeta !== code) addPackage(path);
    return withMeta;
  }

  function addPackage(path: string): void {
    const root = packageRoot(path);
    if (root !== undefined) inputs.packages.add(root);
  }
}
