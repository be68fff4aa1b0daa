import { isAbsolute, join } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { distrust } from "../base/ownership.ts";

/**
 * Returns the folder for what can be made again: `$KAROTTE_CACHE`, else `$XDG_CACHE_HOME/karotte`,
 * else `~/.cache/karotte`. Throws if none of them is named by the environment.
 */
export function cacheDirectory(
  variable: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string {
  const own = variable("KAROTTE_CACHE");
  if (own) return absolute("KAROTTE_CACHE", own);
  // As the XDG specification says, a relative path counts as unset.
  const shared = variable("XDG_CACHE_HOME");
  if (shared && isAbsolute(shared)) return join(shared, "karotte");
  const home = variable("HOME");
  if (home) return join(absolute("HOME", home), ".cache", "karotte");
  throw new KarotteError("usage", "Cannot tell where to keep the cache: HOME is not set", {
    hint: "Name a folder in KAROTTE_CACHE.",
  });
}

/**
 * Creates a folder of the cache (mode 0700) if it is not there. Code is run from it, so it is
 * refused where somebody else could have put something in it, or another folder in its place.
 */
export async function ensureOwnDirectory(path: string): Promise<string> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 }).catch((error) => {
    throw refused(path, String(error), error);
  });
  const reason = distrust(path);
  if (reason !== undefined) throw refused(path, reason);
  return path;
}

function absolute(name: string, value: string): string {
  if (isAbsolute(value)) return value;
  throw new KarotteError("usage", `Cannot use ${name} "${value}": not an absolute path`);
}

function refused(path: string, found: string, cause?: unknown): KarotteError {
  return new KarotteError("usage", `Cannot use the cache folder "${path}": ${found}`, {
    hint: "Name a folder of your own in KAROTTE_CACHE.",
    cause,
  });
}
