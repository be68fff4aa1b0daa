import { join } from "node:path";
import type { TemplateFiles } from "./template.ts";

/** What working in a template's folder leaves there. */
const LEFTOVERS = new Set(["node_modules", "deno.lock", "out"]);

/**
 * All files of a template's folder, sorted by path. Throws an `Error` for a link or special file,
 * and for a file that is not UTF-8: templates hold text only.
 */
export async function readTemplateFiles(directory: string): Promise<TemplateFiles> {
  const paths = (await listFiles(directory, "")).sort();
  const entries = paths.map(async (path) => [path, await readText(directory, path)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function listFiles(directory: string, prefix: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const entry of Deno.readDir(join(directory, prefix))) {
    const path = prefix + entry.name;
    if (LEFTOVERS.has(entry.name)) continue;
    if (entry.isDirectory) paths.push(...await listFiles(directory, `${path}/`));
    else if (entry.isFile) paths.push(path);
    else throw new Error(`Template file "${path}": neither a file nor a folder`);
  }
  return paths;
}

async function readText(directory: string, path: string): Promise<string> {
  const bytes = await Deno.readFile(join(directory, path));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Error(`Template file "${path}": not UTF-8 text`, { cause: error });
  }
}
