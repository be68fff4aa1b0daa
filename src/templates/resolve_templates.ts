import { KarotteError } from "../base/errors.ts";
import type { Template } from "./template.ts";

/**
 * The requested templates with all they require: depth-first, what is required first, nothing
 * twice. Throws a `KarotteError` for an id that is not installed and for a cycle.
 */
export function resolveTemplates(
  requested: readonly string[],
  installed: readonly Template[],
): Template[] {
  const byId = new Map(installed.map((template) => [template.id, template]));
  const resolved = new Set<Template>();

  const visit = (id: string, path: readonly string[]) => {
    if (path.includes(id)) {
      const cycle = [...path.slice(path.indexOf(id)), id].join(" -> ");
      throw new KarotteError("usage", `Cannot use template "${id}": it requires itself (${cycle})`);
    }
    const template = byId.get(id);
    if (template === undefined) throw notFound(id, path.at(-1), [...byId.keys()]);
    for (const required of template.requires) visit(required, [...path, id]);
    resolved.add(template);
  };

  for (const id of requested) visit(id, []);
  return [...resolved];
}

function notFound(id: string, requiredBy: string | undefined, known: readonly string[]) {
  const reason = requiredBy === undefined ? "" : `, which "${requiredBy}" requires`;
  return new KarotteError("usage", `Cannot use template "${id}"${reason}: not found`, {
    hint: `Installed templates: ${known.toSorted().join(", ")}.`,
  });
}
