import { KarotteError, messageOf } from "../base/errors.ts";
import type { Template } from "./template.ts";

const RENDERED_SUFFIX = ".njk";
/** For includes only: not copied into the environment. */
const PARTIALS = "partials/";

/** What template files can use in `{{ … }}`. */
export interface TemplateVariables {
  /** The name of the environment's folder. */
  readonly env_name: string;
  /** The same, made fit for the `name` of a deno.json. */
  readonly package_name: string;
  readonly karotte_version: string;
  /** For the `links` of a deno.json: `file:` URLs of packages that are used from source. */
  readonly links: readonly string[];
  /** Ids of all templates of this environment, in order. */
  readonly templates: readonly string[];
}

/** The part of nunjucks that is used here; the package has no types of its own. */
interface Nunjucks {
  Environment: new (loader: Loader, options: Record<string, boolean>) => {
    render(name: string, variables: object): string;
  };
}

interface Loader {
  getSource(name: string): { src: string; path: string; noCache: boolean } | null;
}

/**
 * The files of all templates by their path in the environment; a later template's file replaces an
 * earlier one of the same path. Files that end in `.njk` are rendered and lose that suffix, all
 * others are taken as they are.
 *
 * A variable that does not exist is an error: empty text in its place would make an environment
 * that is broken in a way that its author sees much later. Includes and extends name files as
 * `<template id>/<path>`.
 */
export async function renderTemplates(
  templates: readonly Template[],
  variables: TemplateVariables,
): Promise<Map<string, string>> {
  const render = await renderer(templates, variables);
  const rendered = new Map<string, string>();
  for (const { id, files } of templates) {
    for (const [path, content] of Object.entries(files)) {
      if (path.startsWith(PARTIALS)) continue;
      if (path.endsWith(RENDERED_SUFFIX)) {
        rendered.set(path.slice(0, -RENDERED_SUFFIX.length), render(`${id}/${path}`));
      } else {
        rendered.set(path, content);
      }
    }
  }
  return rendered;
}

async function renderer(templates: readonly Template[], variables: TemplateVariables) {
  // Loaded here because most commands never render anything.
  const { default: nunjucks } = await import("nunjucks") as unknown as { default: Nunjucks };
  const sources = new Map(
    templates.flatMap(({ id, files }) =>
      Object.entries(files).map(([path, src]) => [`${id}/${path}`, src])
    ),
  );
  const environment = new nunjucks.Environment({
    getSource(name) {
      const src = sources.get(name);
      return src === undefined ? null : { src, path: name, noCache: true };
    },
  }, { autoescape: false, throwOnUndefined: true });
  return (name: string) => {
    try {
      return environment.render(name, variables);
    } catch (error) {
      const state = messageOf(error).replace(/\s*\n\s*/g, " ");
      throw new KarotteError("usage", `Cannot render template file "${name}": ${state}`, {
        cause: error,
      });
    }
  };
}
