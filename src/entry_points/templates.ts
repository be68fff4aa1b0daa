import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { KarotteError, messageOf } from "../base/errors.ts";
import { describeOrigin, type Entry, type Origin } from "./entry.ts";
import { entryPoint, type MergeContext } from "./entry_point.ts";
import { inNameOrder } from "./merge.ts";

/** A folder that holds a template. */
export interface TemplateFolder {
  readonly directory: string;
  readonly origin: Origin;
}

/**
 * Folders whose folders are templates, known by their names. A template of ours is overridden with
 * a warning; the same one from two plugins is an error.
 *
 * ```ts
 * "karotte.templates": { acme: new URL("./templates/", import.meta.url) }
 * ```
 */
export const templates = entryPoint({
  group: "karotte.templates",
  summary: "A folder of templates: a file: URL, or a path relative to the module.",
  check: z.union([
    z.string().min(1),
    // Not z.instanceof: a URL is one whichever realm made it.
    z.custom<URL>((value) => Object.prototype.toString.call(value) === "[object URL]"),
  ], "expected a path or a file: URL"),
  merge: mergeTemplates,
  show: (found) => Object.fromEntries([...found].map(([id, { directory }]) => [id, directory])),
});

async function mergeTemplates(
  entries: readonly Entry<string | URL>[],
  { builtins, remark, skip }: MergeContext,
): Promise<Map<string, TemplateFolder>> {
  const found = new Map<string, TemplateFolder>();
  for (const { origin, value } of await inNameOrder(entries)) {
    let folders: Map<string, string>;
    try {
      folders = listTemplates(folderOf(value, origin));
    } catch (error) {
      skip(origin, messageOf(error));
      continue;
    }
    for (const [id, directory] of folders) {
      const other = found.get(id);
      if (other !== undefined) throw twice(id, other.origin, origin);
      if (builtins.includes(id)) remark(origin, `overrides the built-in template "${id}"`);
      found.set(id, { directory, origin });
    }
  }
  return found;
}

function folderOf(value: string | URL, { directory }: Origin): string {
  const text = String(value);
  if (/^[a-z][a-z+.-]*:/i.test(text)) return fileURLToPath(text);
  if (isAbsolute(text)) return text;
  if (directory !== undefined) return join(directory, text);
  throw new Error(
    `"${text}": in a package the folder must be new URL("${text}", import.meta.url)`,
  );
}

/** Path of each template by its id; throws if the folder holds none, or one that can't be right. */
function listTemplates(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, isDirectory } of readFolder(folder)) {
    if (!isDirectory || name.startsWith(".")) continue;
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
      throw new Error(`"${join(folder, name)}": a template's id has only a-z, 0-9 and inner "-"`);
    }
    if (!isFile(join(folder, name, "template.json"))) {
      throw new Error(`"${join(folder, name)}": a template without template.json`);
    }
    found.set(name, join(folder, name));
  }
  if (found.size === 0) throw new Error(`"${folder}": there is no template in it`);
  return found;
}

function readFolder(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (cause) {
    const found = cause instanceof Deno.errors.NotFound ? "no such folder" : messageOf(cause);
    throw new Error(`"${folder}": ${found}`, { cause });
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    // Whatever keeps us from looking, it can't be used.
    return false;
  }
}

function twice(id: string, first: Origin, second: Origin): KarotteError {
  return new KarotteError(
    "plugin",
    `Cannot tell which template "${id}" is meant: it comes from ${describeOrigin(first)} and ${
      describeOrigin(second)
    }`,
    { hint: "leave one of them out: karotte plugins remove" },
  );
}
