import { isFileSync } from "../base/files.ts";

/**
 * Returns the bundle of a script of the environment, in a private folder. Throws a `TypeError` for
 * what can't be a script's name, and an `Error` if there is no such script.
 */
export function scriptFile(privateDirectory: string, script: string): string {
  if (!/^[^/].*\.ts$/.test(script) || script.split("/").includes("..")) {
    throw new TypeError(
      `Script "${script}": expected a .ts file below src/environment, like "scoring/check.ts"`,
    );
  }
  const bundle = `${privateDirectory}/bundle/${script.replace(/\.ts$/, ".js")}`;
  if (isFileSync(bundle)) return bundle;
  throw new Error(
    `Script "${script}": there is no such file in src/environment` +
      (script.startsWith("scoring/") ? "" : "/scoring, where scripts have to be"),
  );
}
