import { dirname, isAbsolute, join, resolve } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { isReachableFileSync, isReachableSync } from "../base/files.ts";
import { distrust } from "../base/ownership.ts";

export const MANIFEST_NAME = "karotte.plugins.json";

const WAY_OUT = "KAROTTE_PLUGINS names one to be read all the same";

export interface FindManifestsOptions {
  /**
   * Absolute path of the environment, or of the current folder; undefined: only what the user
   * names, and the user's own.
   */
  readonly directory: string | undefined;
  /** `--plugins FILE` */
  readonly named?: string | undefined;
  readonly variable?: (name: string) => string | undefined;
  /** Told of each manifest that is not read because others could have written it. */
  readonly warn: (text: string) => void;
}

/**
 * Finds the manifests that count, those that win first: `--plugins`, `$KAROTTE_PLUGINS`, the
 * environment's, those of its parents up to the repository's root or home, the user's own. Throws a
 * usage error if one that is named does not exist.
 */
export function findManifests(options: FindManifestsOptions): string[] {
  const { directory, named, warn } = options;
  const variable = options.variable ?? ((name) => Deno.env.get(name));
  const fromVariable = variable("KAROTTE_PLUGINS") || variable("CHALK_PLUGINS");
  const wanted = [
    ...(named === undefined ? [] : [namedManifest(named, "--plugins")]),
    ...(fromVariable ? [namedManifest(fromVariable, "KAROTTE_PLUGINS")] : []),
  ];
  const home = variable("HOME") || undefined;
  const around = directory === undefined ? [] : folders(directory, home);
  const places = around.map((folder) => join(folder, MANIFEST_NAME));
  const own = userManifest(variable);
  const found = [...places, ...(own === undefined ? [] : [own])].filter((path) => {
    if (!isReachableFileSync(path)) return false;
    const reason = distrust(path);
    if (reason !== undefined) warn(`plugins of "${path}" are not loaded: ${reason}; ${WAY_OUT}`);
    return reason === undefined;
  });
  return [...new Set([...wanted, ...found].map((path) => Deno.realPathSync(path)))];
}

/**
 * Returns the path of the user's own manifest: `$XDG_CONFIG_HOME/karotte/plugins.json`, else
 * `~/.config/karotte/plugins.json`.
 */
export function userManifest(
  variable: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string | undefined {
  const config = variable("XDG_CONFIG_HOME");
  if (config && isAbsolute(config)) return join(config, "karotte", "plugins.json");
  const home = variable("HOME");
  return home ? join(home, ".config", "karotte", "plugins.json") : undefined;
}

function namedManifest(path: string, source: string): string {
  const absolute = resolve(path);
  if (isReachableFileSync(absolute)) return absolute;
  throw new KarotteError("usage", `Cannot read plugins "${path}": no such file`, {
    hint: `${source} takes the path of a manifest; karotte plugins schema says what is in one`,
  });
}

/** Lists the folder and its parents, as far as manifests are looked for. */
function folders(directory: string, home: string | undefined): string[] {
  const found = [directory];
  for (let current = directory; !isLast(current, home);) {
    current = dirname(current);
    found.push(current);
  }
  return found;
}

function isLast(folder: string, home: string | undefined): boolean {
  return folder === dirname(folder) || folder === home || isReachableSync(join(folder, ".git"));
}
