import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { KarotteError, messageOf } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { VERSION } from "../base/version.ts";
import { builtinTemplates } from "./builtin_templates.ts";
import { createDirectory } from "./create_directory.ts";
import { formatManifest, MANIFEST_FILE } from "./environment_manifest.ts";
import { checkEnvironmentName, packageName } from "./environment_name.ts";
import { renderTemplates } from "./render_templates.ts";
import { resolveTemplates } from "./resolve_templates.ts";
import type { Template } from "./template.ts";

export interface CreateEnvironmentOptions {
  /** The environment's folder; must not exist, missing parents are created. */
  readonly directory: string;
  /** Ids of the templates to stack; `default` if absent. */
  readonly templates?: readonly string[];
  /** Templates to choose from; the built-in ones if absent. */
  readonly installed?: readonly Template[];
  /** The absolute folder of Karotte's source, where it runs from there: its sdk is then used. */
  readonly sourceTree?: string;
  /** Aborting it ends the creation like any failure. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a new environment from templates. Throws a `KarotteError` if the folder exists, its name
 * can't be used or a template is missing; after any failure nothing that this call created is left.
 */
export async function createEnvironment(options: CreateEnvironmentOptions): Promise<void> {
  const directory = resolve(options.directory);
  checkEnvironmentName(basename(directory));
  const installed = options.installed ?? builtinTemplates();
  const templates = resolveTemplates(options.templates ?? ["default"], installed);
  const files = await renderEnvironment(basename(directory), templates, options);
  options.signal?.throwIfAborted();
  const topmost = await createDirectory(directory);
  try {
    for (const [path, content] of files) {
      options.signal?.throwIfAborted();
      await writeFile(join(directory, path), content);
    }
  } catch (error) {
    await removeUnfinished(topmost);
    throw error;
  }
}

async function renderEnvironment(
  name: string,
  templates: readonly Template[],
  { sourceTree }: CreateEnvironmentOptions,
): Promise<Map<string, string>> {
  const ids = templates.map((template) => template.id);
  const files = await renderTemplates(templates, {
    env_name: name,
    package_name: packageName(name),
    karotte_version: VERSION,
    links: sourceTree === undefined ? [] : [linkTo(sourceTree)],
    templates: ids,
  });
  const kept = templates.flatMap((template) => template.do_not_recreate_if_deleted);
  const manifest = formatManifest({
    karotte_version: VERSION,
    templates: ids,
    agents: [],
    do_not_recreate_if_deleted: [...new Set(kept)].sort(),
    extra_deps: requirementsOf(templates),
  });
  return files.set(MANIFEST_FILE, manifest);
}

function requirementsOf(templates: readonly Template[]): string[] {
  const found = templates.flatMap(({ requirement }) => requirement ?? []);
  return [...new Set(found)].sort();
}

/** Deno 2.6 takes absolute paths without a scheme for relative ones, and needs the final slash. */
function linkTo(sourceTree: string): string {
  return pathToFileURL(`${resolve(sourceTree)}/`).href;
}

async function writeFile(path: string, content: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, content, { createNew: true });
  } catch (cause) {
    throw new KarotteError("usage", `Cannot write "${path}": ${messageOf(cause)}`, { cause });
  }
}

/** Says what it can't remove, so that the reason for the removal stays the command's error. */
async function removeUnfinished(directory: string): Promise<void> {
  warn(`removing the unfinished environment "${directory}"`);
  try {
    await removeIfThere(directory);
  } catch (error) {
    warn(`cannot remove "${directory}": ${messageOf(error)}`);
  }
}
