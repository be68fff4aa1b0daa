/**
 * Checks that imports run one way. Prints each offending import and fails if there is one.
 *
 * Usage: sh scripts/deno run --allow-read scripts/layers.ts
 */
import { dirname, extname, join, relative } from "@std/path";
import { importsOf } from "./imports_of.ts";

/** Where a folder of `src` stands: its modules import their own rank and the ranks below. */
const RANKS: readonly (readonly string[])[] = [
  ["base"],
  ["schemas"],
  ["protocol"],
  ["sdk", "cache"],
  ["entry_points"],
  ["plugins", "loader", "models", "runtimes", "templates", "records", "trust"],
  ["host"],
  ["cli"],
];

/** Folders with a list of their own, since they don't stand on all that is below them. */
const NARROW: Readonly<Record<string, readonly string[]>> = {
  "src/harness": ["src/harness", "src/sdk", "src/protocol", "src/schemas", "src/base"],
  "plugins": ["plugins", "src/sdk"],
};

/** Folders that load in the sandbox, or in every program that uses the sdk. */
const WITHOUT_PACKAGES = ["src/base", "src/schemas", "src/protocol", "src/sdk", "src/harness"];

/** Modules of those folders that import a package all the same: for the host alone. */
const FOR_THE_HOST: Readonly<Record<string, string>> = {
  "src/base/json_text.ts": "jsonc-parser",
};

/** Every module of a checkout: its path from the root, and what it imports. */
export type Modules = ReadonlyMap<string, readonly string[]>;

/** One line for each import that the rules forbid: `path: "specifier": reason`. */
export function offences(modules: Modules): string[] {
  const found: string[] = [];
  for (const [path, specifiers] of modules) {
    for (const specifier of specifiers) {
      const reason = isRelative(specifier)
        ? relativeOffence(path, targetOf(path, specifier), modules)
        : packageOffence(path, specifier);
      if (reason !== undefined) found.push(`${path}: "${specifier}": ${reason}`);
    }
  }
  return [...found, ...cycles(modules).map((cycle) => `${cycle.join(" -> ")}: cycle`)];
}

function relativeOffence(from: string, to: string, modules: Modules): string | undefined {
  if (extname(to) === ".ts" && !modules.has(to)) return "no such module";
  if (isFree(from)) return undefined;
  if (to.endsWith("_test.ts")) return "only a test imports a test";
  if (FOR_THE_HOST[to] !== undefined && WITHOUT_PACKAGES.includes(folderOf(from))) {
    return `only the host imports ${to}, which imports a package`;
  }
  const source = folderOf(from);
  const target = folderOf(to);
  if (source === target || from === "main.ts" || to === "deno.json") return undefined;
  return mayImport(source, target) ? undefined : `${source} does not import ${target}`;
}

function mayImport(source: string, target: string): boolean {
  const narrow = NARROW[source];
  if (narrow !== undefined) return narrow.includes(target);
  if (target === "src/harness") return source === "src/cli";
  const rank = rankOf(target);
  return rank >= 0 && rank <= rankOf(source);
}

function rankOf(folder: string): number {
  return RANKS.findIndex((names) => names.some((name) => folder === `src/${name}`));
}

function packageOffence(path: string, specifier: string): string | undefined {
  const folder = folderOf(path);
  if (isFree(path) || !WITHOUT_PACKAGES.includes(folder)) return undefined;
  if (FOR_THE_HOST[path] === specifier) return undefined;
  if (specifier.startsWith("node:") || /^zod(\/|$)/.test(specifier)) return undefined;
  return `${folder} imports no package but zod`;
}

/** Tests and scripts import what they need. */
function isFree(path: string): boolean {
  return path.endsWith("_test.ts") || /^(tests|scripts)\//.test(path);
}

/** `src/NAME`, or the top folder outside of `src`, or `.` for a file of the root. */
function folderOf(path: string): string {
  const [first = "", second = "", third] = path.split("/");
  if (first === "src" && third !== undefined) return `src/${second}`;
  return second === "" ? "." : first;
}

function isRelative(specifier: string): boolean {
  return /^\.{1,2}\//.test(specifier);
}

function targetOf(path: string, specifier: string): string {
  return join(dirname(path), specifier);
}

/**
 * Each cycle once, from its first module back to it. Tests can't be imported, so they close none.
 */
function cycles(modules: Modules): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const specifier of modules.get(path) ?? []) {
      if (isRelative(specifier)) visit(targetOf(path, specifier), [...trail, path]);
    }
    done.add(path);
  };
  for (const path of modules.keys()) visit(path, []);
  return found;
}

/** Reads every module below `root`, except those that are data of templates and tests. */
export async function readModules(root: string): Promise<Modules> {
  const modules = new Map<string, string[]>();
  const visit = async (folder: string) => {
    for await (const entry of Deno.readDir(folder)) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (entry.isDirectory && !isData(name)) await visit(path);
      if (entry.isFile && extname(name) === ".ts") {
        modules.set(name, importsOf(await Deno.readTextFile(path)));
      }
    }
  };
  await visit(root);
  return new Map([...modules].sort(([left], [right]) => left < right ? -1 : 1));
}

function isData(name: string): boolean {
  return /(^|\/)(node_modules|\.[^/]+)$|^(dist|out|tests\/fixtures)$|^src\/templates\/[^/]+$/
    .test(name);
}

if (import.meta.main) {
  const modules = await readModules(join(import.meta.dirname ?? ".", ".."));
  const found = offences(modules);
  for (const line of found) console.error(line);
  if (found.length > 0) Deno.exit(1);
  console.log(`Checked the imports of ${modules.size} files`);
}
