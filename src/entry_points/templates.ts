import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { messageOf } from "../base/errors.ts";
import type { Entry, Origin } from "./entry.ts";
import { entryPoint, type MergeContext } from "./entry_point.ts";
import { inNameOrder } from "./merge.ts";

/** A folder whose folders are templates; nobody has looked yet whether it is there. */
export interface TemplateRoot {
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
  merge: templateRoots,
  show: (roots) => roots.map(({ directory }) => directory),
});

async function templateRoots(
  entries: readonly Entry<string | URL>[],
  { skip }: MergeContext,
): Promise<TemplateRoot[]> {
  const roots: TemplateRoot[] = [];
  for (const { origin, value } of await inNameOrder(entries)) {
    try {
      roots.push({ directory: pathOf(value, origin), origin });
    } catch (error) {
      skip(origin, messageOf(error));
    }
  }
  return roots;
}

/** Returns the absolute path of an entry's folder. Throws if the entry does not say where it is. */
function pathOf(value: string | URL, { directory }: Origin): string {
  const text = String(value);
  if (/^[a-z][a-z+.-]*:/i.test(text)) return fileURLToPath(text);
  if (isAbsolute(text)) return text;
  if (directory !== undefined) return join(directory, text);
  throw new Error(
    `"${text}": in a package the folder must be new URL("${text}", import.meta.url)`,
  );
}
