import { messageOf } from "../base/errors.ts";
import type { Origin } from "../entry_points/entry.ts";
import { templates } from "../entry_points/templates.ts";
import { requestKey } from "../loader/packages/package_request.ts";
import type { Registry } from "../plugins/registry.ts";
import type { RawEntry } from "../plugins/registry_entry.ts";
import { builtinTemplates } from "./builtin_templates.ts";
import { readTemplateFiles } from "./read_template.ts";
import { parseTemplate, type Template } from "./template.ts";
import { templateFolders } from "./template_folders.ts";

/**
 * Returns our templates and those of plugins, which replace ours of the same id. A plugin of which
 * a template can't be read is skipped like one that does not load; rejects with a plugin error if
 * two have the same template.
 */
export async function installedTemplates(registry: Registry): Promise<Template[]> {
  const entries = await registry.entriesOf(templates.group);
  const added = await Promise.all((await readTemplates(registry)).map(
    async ({ template, origin }): Promise<Template> => {
      const entry = entries.find((each) => each.origin === origin);
      const requirement = entry === undefined ? undefined : await requirementOf(entry);
      return requirement === undefined ? template : { ...template, requirement };
    },
  ));
  const ours = builtinTemplates().filter(({ id }) => !added.some((template) => template.id === id));
  return [...ours, ...added];
}

interface AddedTemplate {
  readonly template: Template;
  readonly origin: Origin;
}

async function readTemplates(registry: Registry): Promise<AddedTemplate[]> {
  const read: AddedTemplate[] = [];
  const unreadable = new Set<Origin>();
  for (const [id, { directory, origin }] of await templateFolders(registry)) {
    if (unreadable.has(origin)) continue;
    try {
      read.push({ template: parseTemplate(id, await readTemplateFiles(directory)), origin });
    } catch (error) {
      unreadable.add(origin);
      registry.skip(templates, origin, `"${directory}": ${messageOf(error)}`);
    }
  }
  return read.filter(({ origin }) => !unreadable.has(origin));
}

/** Returns what `--with` takes to get the same again; undefined: not a package. */
async function requirementOf({ source, version }: RawEntry): Promise<string | undefined> {
  if (source.target.kind !== "package") return undefined;
  const { registry, name } = source.target.package;
  return requestKey({ registry, name, range: await version() });
}
