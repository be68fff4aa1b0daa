import { dirname, join, resolve } from "node:path";
import { configDirectory } from "../base/config_directory.ts";
import { KarotteError } from "../base/errors.ts";
import { isReachableFileSync, isReachableSync } from "../base/files.ts";
import { distrust } from "../base/ownership.ts";

export const MANIFEST_NAME = "karotte.plugins.json";

const WAY_OUT = "KAROTTE_PLUGINS names one to be read all the same";

/** A manifest that counts, and who says so. */
export interface FoundManifest {
  /** Real path. */
  readonly path: string;
  /**
   * Real path of the project's folder that it, or a link to it, lies in; undefined: the user named
   * it, or it is the user's own.
   */
  readonly project: string | undefined;
}

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
export function findManifests(options: FindManifestsOptions): FoundManifest[] {
  const { directory, named, warn } = options;
  const variable = options.variable ?? ((name) => Deno.env.get(name));
  const fromVariable = variable("KAROTTE_PLUGINS") || variable("CHALK_PLUGINS");
  const wanted = [
    ...(named === undefined ? [] : [namedManifest(named, "--plugins")]),
    ...(fromVariable ? [namedManifest(fromVariable, "KAROTTE_PLUGINS")] : []),
  ];
  const home = variable("HOME") || undefined;
  const around = directory === undefined ? [] : folders(directory, home);
  const places = around.map((folder) => ({ path: join(folder, MANIFEST_NAME), folder }));
  const own = userManifest(variable);
  const usable = ({ path }: { path: string }) => {
    if (!isReachableFileSync(path)) return false;
    const reason = distrust(path);
    if (reason !== undefined) warn(`plugins of "${path}" are not loaded: ${reason}; ${WAY_OUT}`);
    return reason === undefined;
  };
  const found = [
    ...wanted.map((path) => ({ path, project: undefined })),
    ...places.filter(usable).map(({ path, folder }) => ({
      path,
      project: Deno.realPathSync(folder),
    })),
    ...(own === undefined ? [] : [{ path: own, project: undefined }]).filter(usable),
  ].map(({ path, project }): FoundManifest => ({ path: Deno.realPathSync(path), project }));
  // What the user named is his, whatever links to it from a project.
  const isUsers = (path: string) =>
    found.some((each) => each.path === path && each.project === undefined);
  return [...new Set(found.map(({ path }) => path))].map((path) => ({
    path,
    project: isUsers(path) ? undefined : found.find((each) => each.path === path)?.project,
  }));
}

/**
 * Returns the path of the user's own manifest: `$XDG_CONFIG_HOME/karotte/plugins.json`, else
 * `~/.config/karotte/plugins.json`.
 */
export function userManifest(
  variable: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string | undefined {
  const directory = configDirectory(variable);
  return directory === undefined ? undefined : join(directory, "plugins.json");
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
