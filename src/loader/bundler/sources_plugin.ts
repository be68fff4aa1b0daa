import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import type {
  OnLoadArgs,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
} from "esbuild-wasm";
import { digestOf } from "../../cache/digest.ts";
import type { ResolveFile } from "./file_resolver.ts";
import { isEsModule, sourceKind, withoutSourceMapLink } from "./module_source.ts";

export interface SourcesPluginOptions {
  readonly resolveFile: ResolveFile;
  /** Paths of the modules that bare names stand for, packages of `node_modules` apart. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Filled with the digest of each file that is read, by path. */
  readonly inputs: Record<string, string>;
}

/** An ES module's view of a CommonJS one. */
const COMMON_JS_NAMESPACE = "karotte-cjs";
/** What a package tries to load and does without. */
const ABSENT_NAMESPACE = "karotte-absent";

/**
 * Feeds the bundler, which has no file system of its own, our modules and the packages that they
 * import. Node's own modules stay imports.
 */
export function sourcesPlugin({ resolveFile, aliases, inputs }: SourcesPluginOptions): Plugin {
  return {
    name: "karotte-sources",
    setup(build) {
      build.onResolve({ filter: /.*/ }, resolve);
      build.onLoad({ filter: /.*/, namespace: "file" }, load);
      build.onLoad({ filter: /.*/, namespace: COMMON_JS_NAMESPACE }, ({ path }) => ({
        contents: wholeExports(path),
      }));
      build.onLoad({ filter: /.*/, namespace: ABSENT_NAMESPACE }, ({ path }) => ({
        contents: failingModule(path),
      }));
    },
  };

  function resolve({ path, importer, kind, namespace }: OnResolveArgs): OnResolveResult {
    if (kind === "entry-point" || namespace === COMMON_JS_NAMESPACE) {
      return { path, namespace: "file" };
    }
    if (isBuiltin(path)) {
      return { path: path.startsWith("node:") ? path : `node:${path}`, external: true };
    }
    const isRequired = kind.startsWith("require");
    const found = aliases?.get(path) ??
      resolveFile(dirname(importer), path, isRequired ? "require" : "import");
    if (found === undefined) {
      // Packages try what may not be there in try/catch. It fails at run time without a look at the
      // disk, where anybody might have put it near the program.
      if (isOfPackage(importer) && kind !== "import-statement") {
        return { path, namespace: ABSENT_NAMESPACE };
      }
      return { errors: [{ text: `Cannot import "${path}": not found` }] };
    }
    if (!isRequired && isCommonJs(found)) {
      return { path: found + NODE_MODE, namespace: COMMON_JS_NAMESPACE };
    }
    return { path: found, namespace: "file" };
  }

  async function load({ path, with: attributes }: OnLoadArgs): Promise<OnLoadResult> {
    const kind = sourceKind(path, attributes);
    if ("refused" in kind) {
      return { errors: [{ text: `Cannot import "${path}": ${kind.refused}` }] };
    }
    const bytes = await Deno.readFile(path);
    inputs[path] = digestOf(bytes);
    if (kind.loader === "binary") return { contents: bytes, loader: kind.loader };
    const text = new TextDecoder().decode(bytes);
    return { contents: withoutSourceMapLink(text), loader: kind.loader };
  }
}

/**
 * In a module whose name ends so the bundler takes all of `module.exports` for the default export,
 * as Deno and node do; elsewhere it takes `exports.default` where `__esModule` is set.
 */
const NODE_MODE = ".mjs";

function wholeExports(path: string): string {
  const module = JSON.stringify(path.slice(0, -NODE_MODE.length));
  return `import all from ${module}; export * from ${module}; export default all;`;
}

function failingModule(path: string): string {
  const message = JSON.stringify(`Cannot find module '${path}'`);
  return `throw Object.assign(new Error(${message}), { code: "MODULE_NOT_FOUND" });`;
}

function isCommonJs(path: string): boolean {
  return isOfPackage(path) && /\.c?js$/.test(path) &&
    !isEsModule(path, Deno.readTextFileSync(path));
}

function isOfPackage(path: string): boolean {
  return path.includes("/node_modules/");
}
