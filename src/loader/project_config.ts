import { dirname, join } from "node:path";
import type { BuildOptions } from "esbuild-wasm";
import { KarotteError } from "../base/errors.ts";
import { isReachableFileSync } from "../base/files.ts";
import { parseJsonc } from "../base/json_text.ts";
import { digestOf } from "../cache/digest.ts";
import { ImportMap } from "./import_map.ts";
import { shownPath } from "../cache/file_tree.ts";

/** What bundling needs to know of an environment's `deno.json` or `deno.jsonc`. */
export interface ProjectConfig {
  readonly imports: ImportMap;
  readonly compilerOptions: Pick<
    BuildOptions,
    "jsx" | "jsxImportSource" | "jsxFactory" | "jsxFragment" | "jsxDev" | "tsconfigRaw"
  >;
  /** Digests of the files that were read, by path. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** Which file Deno would take; undefined: none is there. */
export function findProjectConfig(directory: string): string | undefined {
  return ["deno.json", "deno.jsonc"].map((name) => join(directory, name)).find(isReachableFileSync);
}

/**
 * The config that applies to a file: the nearest one above it. Only one that the file's owner, the
 * user or root wrote counts: nobody else gets to say what the file's imports mean.
 */
export function findConfigAbove(file: string): string | undefined {
  const owners = [Deno.statSync(file).uid, Deno.uid(), 0];
  for (let folder = dirname(file);; folder = dirname(folder)) {
    const path = findProjectConfig(folder);
    if (path !== undefined && owners.includes(Deno.statSync(path).uid)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Reads the project's config; without one everything has its default. BOM, CRLF, comments and
 * trailing commas are fine. Throws a `KarotteError` with the place of what is wrong.
 */
export async function readProjectConfig(path: string | undefined): Promise<ProjectConfig> {
  const inputs = new Map<string, string>();
  if (path === undefined) return { imports: new ImportMap({}, "/"), compilerOptions: {}, inputs };
  const config = await readJsonc(path, inputs);
  const importMap = config.imports === undefined ? config.importMap : undefined;
  if (importMap !== undefined && (typeof importMap !== "string" || /^https?:/.test(importMap))) {
    throw new KarotteError("usage", `Cannot read "${shownPath(path)}": importMap is not a path`);
  }
  const mapPath = importMap === undefined ? path : join(dirname(path), importMap);
  const map = importMap === undefined ? config : await readJsonc(mapPath, inputs);
  return {
    imports: new ImportMap(checkedImports(map.imports, mapPath), mapPath),
    compilerOptions: esbuildOptions(config.compilerOptions),
    inputs,
  };
}

/** Reads JSON with comments and trailing commas; its digest goes into `inputs`, by path. */
export async function readJsonc(
  path: string,
  inputs: Map<string, string>,
): Promise<Record<string, unknown>> {
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(path);
  } catch (cause) {
    throw new KarotteError("usage", `Cannot read "${shownPath(path)}": ${String(cause)}`, {
      cause,
    });
  }
  inputs.set(path, digestOf(bytes));
  // The decoder drops a BOM.
  const read = await parseJsonc(new TextDecoder().decode(bytes));
  if (read.failure !== undefined) {
    const { line, column, reason } = read.failure;
    throw new KarotteError("usage", `Cannot read ${shownPath(path)}:${line}:${column}: ${reason}`);
  }
  const { value } = read;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new KarotteError("usage", `Cannot read ${shownPath(path)}:1:1: not a JSON object`);
  }
  return value as Record<string, unknown>;
}

function checkedImports(imports: unknown, path: string): Record<string, string> {
  const entries = typeof imports === "object" && imports !== null ? Object.entries(imports) : [];
  for (const [key, value] of entries) {
    if (typeof value === "string") continue;
    throw new KarotteError(
      "usage",
      `Cannot read "${shownPath(path)}": imports["${key}"] is not a string`,
    );
  }
  return Object.fromEntries(entries);
}

function esbuildOptions(options: unknown): ProjectConfig["compilerOptions"] {
  if (typeof options !== "object" || options === null) return {};
  const { jsx, jsxImportSource, jsxFactory, jsxFragmentFactory, experimentalDecorators } =
    options as Record<string, unknown>;
  const text = (name: string, value: unknown) => typeof value === "string" ? { [name]: value } : {};
  return {
    // Deno's `precompile` is an optimisation with the same meaning as `react-jsx`.
    ...(jsx === "react-jsx" || jsx === "react-jsxdev" || jsx === "precompile"
      ? { jsx: "automatic", jsxDev: jsx === "react-jsxdev" }
      : {}),
    ...text("jsxImportSource", jsxImportSource),
    ...text("jsxFactory", jsxFactory),
    ...text("jsxFragment", jsxFragmentFactory),
    ...(experimentalDecorators === true
      ? { tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } }
      : {}),
  };
}
