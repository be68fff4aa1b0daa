import { join } from "node:path";
import { KarotteError, messageOf } from "../base/errors.ts";
import { isReachableFileSync } from "../base/files.ts";
import { describeOrigin, type Origin } from "../entry_points/entry.ts";
import { templates } from "../entry_points/templates.ts";
import type { Registry } from "../plugins/registry.ts";
import { builtinTemplates } from "./builtin_templates.ts";

/** A folder of a plugin that holds a template. */
export interface TemplateFolder {
  readonly directory: string;
  readonly origin: Origin;
}

/**
 * Lists the templates of plugins, by id. Warns of those that override one of ours. A plugin whose
 * folder can't be listed, or holds what can't be a template, is skipped like one that does not
 * load. Rejects with a plugin error if two plugins have the same template.
 */
export async function templateFolders(
  registry: Registry,
): Promise<ReadonlyMap<string, TemplateFolder>> {
  const builtins = builtinTemplates().map(({ id }) => id);
  const found = new Map<string, TemplateFolder>();
  for (const { directory: root, origin } of await registry.get(templates)) {
    let folders: Map<string, string>;
    try {
      folders = listTemplates(root);
    } catch (error) {
      registry.skip(templates, origin, messageOf(error));
      continue;
    }
    for (const [id, directory] of folders) {
      const other = found.get(id);
      if (other !== undefined) throw ambiguous(id, other.origin, origin);
      if (builtins.includes(id)) registry.remark(origin, `overrides the built-in template "${id}"`);
      found.set(id, { directory, origin });
    }
  }
  return found;
}

/**
 * Returns the path of each template by its id. Throws if there is none, or one that can't be right.
 */
function listTemplates(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, isDirectory } of readFolder(root)) {
    if (!isDirectory || name.startsWith(".")) continue;
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
      throw new Error(`"${join(root, name)}": a template's id has only a-z, 0-9 and inner "-"`);
    }
    if (!isReachableFileSync(join(root, name, "template.json"))) {
      throw new Error(`"${join(root, name)}": a template without template.json`);
    }
    found.set(name, join(root, name));
  }
  if (found.size === 0) throw new Error(`"${root}": there is no template in it`);
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

function ambiguous(id: string, first: Origin, second: Origin): KarotteError {
  return new KarotteError(
    "plugin",
    `Cannot tell which template "${id}" is meant: it comes from ${describeOrigin(first)} and ${
      describeOrigin(second)
    }`,
    { hint: "leave one of them out: karotte plugins remove" },
  );
}
