/**
 * `import.meta` of bundled modules. The bundler turns each mention of it into the name below, and
 * the module gets an import of that name at its very end, where no line of it moves. The value is
 * worked out at run time from where the bundle is, so a bundle may be moved.
 */
export const META_NAME = "__karotte_meta";
export const META_SPECIFIER = "karotte-meta:";

/** Stands in for what differs between the outputs of one build. */
const ROOT = "@KAROTTE_ROOT@";
const MAIN = "@KAROTTE_MAIN@";

/** First line of every output; `require` is for what packages bundled from CommonJS call. */
export const BANNER = [
  'import{createRequire as __karotte_create_require}from"node:module";',
  "const __karotte_bundle=import.meta.url,",
  `__karotte_root=new URL("${ROOT}",__karotte_bundle),`,
  `__karotte_main="${MAIN}",`,
  "require=__karotte_create_require(__karotte_bundle);",
].join("");

export interface BannerPlaces {
  /** Where places start, as a URL relative to the output. */
  readonly root: string;
  /** The place of the module that is run as a program; empty if none is. */
  readonly main: string;
}

/** Completes the first line of an output. */
export function completeBanner(code: string, { root, main }: BannerPlaces): string {
  const end = code.indexOf("\n");
  const banner = code.slice(0, end).replace(ROOT, () => root)
    .replace(`"${MAIN}"`, () => JSON.stringify(main));
  return banner + code.slice(end);
}

/** Gives a module that mentions `import.meta` the import that its mentions become. */
export function withImportMeta(code: string, place: string): string {
  if (!code.includes("import.meta")) return code;
  return `${code}\nimport{meta as ${META_NAME}}from${JSON.stringify(META_SPECIFIER + place)};`;
}

/** Gives a CommonJS script that mentions them the two variables that tell it where it is. */
export function withCommonJsNames(code: string, place: string): string {
  if (!/\b__(file|dir)name\b/.test(code)) return code;
  const meta = `require(${JSON.stringify(META_SPECIFIER + place)}).meta`;
  return `var {filename:__filename,dirname:__dirname}=${meta};${code}`;
}

/** The source of the module that a module at `place` gets its `import.meta` from. */
export function metaSource(place: string): string {
  return `import { metaOf } from "${META_SPECIFIER}";
export const meta = metaOf(${JSON.stringify(place)});`;
}

/** The source of what all those modules share. */
export const META_BASE_SOURCE = `import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
const root = fileURLToPath(__karotte_root);
export function metaOf(place) {
  const filename = join(root, place);
  const url = pathToFileURL(filename).href;
  return { url, filename, dirname: dirname(filename), main: place === __karotte_main, resolve };
  function resolve(specifier) {
    if (/^([a-z][a-z0-9+.-]*:|\\.{0,2}\\/)/i.test(specifier)) return new URL(specifier, url).href;
    throw new TypeError(\`Cannot resolve "\${specifier}" at run time: only paths and URLs can be\`);
  }
}`;
