import { pathToFileURL } from "node:url";
import { messageOf } from "../base/errors.ts";
import { warn } from "../base/log.ts";

/** A plugin whose code was loaded, and where that code lies. */
interface LoadedPlugin {
  readonly name: string;
  /** Folder of a local module; undefined for a package, which lies in the cache. */
  readonly directory: string | undefined;
  readonly cacheDirectory: string;
}

const loaded: LoadedPlugin[] = [];

/** Where our own code lies; in the compiled program all of it is beside the main module. */
const OWN_ROOT = Deno.build.standalone
  ? new URL("./", Deno.mainModule).href
  : new URL("../../", import.meta.url).href;

/** Notes that faults that nobody waits for may be this plugin's from now on. */
export function expectFaultsOf(plugin: LoadedPlugin): void {
  if (!loaded.some(({ name }) => name === plugin.name)) loaded.push(plugin);
}

/**
 * Warns of a fault that nobody waits for (a promise that is rejected late, an error in a timer) if
 * it is a plugin's; false: it is our own. The stack tells; without one it is taken for a plugin's
 * as soon as there is any.
 */
export function isPluginFault(reason: unknown): boolean {
  if (loaded.length === 0) return false;
  const places = placesOf(reason);
  const foreign = places.filter((place) => !isOwn(place));
  const byFolder = loaded.find(({ directory }) => foreign.some((url) => isBelow(url, directory)));
  const byCache = loaded.some((plugin) =>
    foreign.some((url) => isBelow(url, plugin.cacheDirectory))
  );
  if (byFolder === undefined && !byCache && places.length > 0) return false;
  const culprit = byFolder ?? (loaded.length === 1 ? loaded[0] : undefined);
  const who = culprit === undefined ? "a plugin" : `plugin "${culprit.name}"`;
  warn(`${who} failed where nobody waited for it: ${messageOf(reason)}`);
  return true;
}

/** Returns the URLs of an error's stack; none if it has no stack. */
function placesOf(reason: unknown): string[] {
  try {
    const stack = reason instanceof Error ? String(reason.stack) : "";
    return stack.match(/(file|https?):\/\/[^\s)]+?(?=:\d+:\d+)/g) ?? [];
  } catch {
    // A getter or trap of a plugin's own making: it tells nothing.
    return [];
  }
}

function isOwn(url: string): boolean {
  if (Deno.build.standalone) return url.startsWith(OWN_ROOT);
  return url === `${OWN_ROOT}main.ts` || url.startsWith(`${OWN_ROOT}src/`);
}

function isBelow(url: string, directory: string | undefined): boolean {
  return directory !== undefined && url.startsWith(`${pathToFileURL(directory).href}/`);
}
