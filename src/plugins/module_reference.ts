import { dirname, extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { KarotteError } from "../base/errors.ts";

/** What a manifest or `--with` names: a module, and perhaps one of its exports. */
export interface ModuleReference {
  readonly module: string;
  readonly attribute: string;
}

const PORTING = "port it: a .ts file that exports the same value, named here as " +
  '"./my_plugin.ts#NAME"; karotte plugins guide shows how';

/** Splits `module#attribute`; without one it is `default`. A `#` of a path stays with it. */
export function splitReference(text: string): ModuleReference {
  const match = /^(.+)#([\p{ID_Start}$_][\p{ID_Continue}$]*)$/u.exec(text);
  return { module: match?.[1] ?? text, attribute: match?.[2] ?? "default" };
}

/**
 * What `module` is to the loader: an absolute path, `npm:` or `jsr:`. Throws a plugin error for
 * anything else; `place` says where it was written.
 */
export function checkedModule(module: string, baseDirectory: string, place: string): string {
  if (/^(npm|jsr):/.test(module)) return module;
  const refused = (found: string, hint: string) =>
    new KarotteError("plugin", `${place}: cannot use plugin "${module}": ${found}`, { hint });
  if (isPython(module)) {
    throw refused("it is Python, and plugins are JavaScript or TypeScript modules", PORTING);
  }
  if (module.startsWith("file:")) return fileURLToPath(module);
  if (/^(\.{0,2}\/)/.test(module)) return resolve(baseDirectory, module);
  if (/^[a-z][a-z+.-]*:/i.test(module)) {
    throw refused(
      "only paths, npm: and jsr: are loaded",
      "install it, and name its file or package",
    );
  }
  if (/^\.[cm]?[jt]sx?$/.test(extname(module))) {
    throw refused("not a path", `paths start with ./ like "./${module}"`);
  }
  throw refused(
    "neither a path nor a package of npm: or jsr:",
    `write "npm:${module}" or "./${module}.ts"; if it is a Python package, ${PORTING}`,
  );
}

/** The folder of a local module; undefined for a package. */
export function folderOf(checked: string): string | undefined {
  return checked.startsWith("/") ? dirname(checked) : undefined;
}

/** A file, or an entry point as Python writes it: `acme.plugins:app`. */
function isPython(module: string): boolean {
  return /\.pyc?$/.test(module) || /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+:[A-Za-z_][\w.]*$/.test(module) ||
    /^(?!file:|node:|https?:|data:)[A-Za-z_]\w*:[A-Za-z_][\w.]*$/.test(module);
}
