/**
 * Finds names that several modules give to their types; `names_test.ts` holds `src` to having none.
 */
import { extname, join, relative } from "@std/path";
import { codeOf } from "./imports_of.ts";

/**
 * Returns one line for each name that several modules give to types that they export: who reads it
 * in a message, a search or an import could not tell which type is meant.
 */
export function repeatedNames(sources: ReadonlyMap<string, string>): string[] {
  const modules = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    for (const name of exportedTypes(source)) {
      modules.set(name, (modules.get(name) ?? new Set()).add(path));
    }
  }
  return [...modules].filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name}: ${[...paths].join(", ")}: one name for several types`);
}

/**
 * Matches the declaration of an exported type; what a module only re-exports has no declaration.
 */
const EXPORTED_TYPE =
  /\bexport\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:const\s+)?(?:interface|type|class|enum)\s+(\w+)/g;

function exportedTypes(source: string): string[] {
  return [...codeOf(source).matchAll(EXPORTED_TYPE)].map(([, name = ""]) => name);
}

/**
 * Reads the modules below `src` that are part of the program: no tests, and no template's files.
 */
export async function readSources(root: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const visit = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = join(folder, name);
      const shown = relative(root, path);
      if (isDirectory && shown !== "src/templates/default") await visit(path);
      if (extname(name) === ".ts" && !name.endsWith("_test.ts")) {
        sources.set(shown, await Deno.readTextFile(path));
      }
    }
  };
  await visit(join(root, "src"));
  return new Map([...sources].sort(([left], [right]) => left < right ? -1 : 1));
}
