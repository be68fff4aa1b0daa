import { extname } from "node:path";
import type { Loader } from "esbuild-wasm";

/** What the bundler is to make of a file. */
export type SourceKind =
  | { readonly loader: Loader; readonly isScript: boolean }
  | { readonly refused: string };

const SCRIPTS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
  ".jsx": "jsx",
};

const ATTRIBUTES: Readonly<Record<string, Loader>> = {
  json: "json",
  text: "text",
  bytes: "binary",
};

/** By the import's `type` attribute, else by the file's name. */
export function sourceKind(path: string, attributes: Readonly<Record<string, string>>): SourceKind {
  const type = attributes.type;
  if (type !== undefined) {
    const loader = Object.hasOwn(ATTRIBUTES, type) ? ATTRIBUTES[type] : undefined;
    if (loader === undefined) return { refused: `unknown import type "${type}"` };
    return { loader, isScript: false };
  }
  const extension = extname(path);
  const script = Object.hasOwn(SCRIPTS, extension) ? SCRIPTS[extension] : undefined;
  if (script !== undefined) return { loader: script, isScript: true };
  if (extension === ".json") return { loader: "json", isScript: false };
  // A package's main file may have no extension at all.
  if (extension === "" && path.includes("/node_modules/")) return { loader: "js", isScript: true };
  return { refused: 'not a script (add with { type: "text" } or { type: "bytes" })' };
}

const ES_SYNTAX =
  /(?:^|[;}])\s*(?:export\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b)|import\s*(?:["'{*]|[\w$]+\s*(?:,|from\b)))/m;
const COMMON_JS = /\b(?:module\.exports|exports\b|require\s*\()/;

/** Whether a script is an ES module; by its name, else by what it says. */
export function isEsModule(path: string, code: string): boolean {
  const extension = extname(path);
  if (extension === ".cjs" || extension === ".cts") return false;
  if (extension !== ".js" && extension !== "") return true;
  return ES_SYNTAX.test(code) || !COMMON_JS.test(code);
}

/** Source maps of packages are not there in a bundle, and the bundler warns of each. */
export function withoutSourceMapLink(code: string): string {
  return code.replace(/^[ \t]*\/\/[#@] *sourceMappingURL=.*$/gm, "");
}
