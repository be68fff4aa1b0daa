import { join } from "node:path";
import { KarotteError, messageOf } from "../../base/errors.ts";
import { warn } from "../../base/log.ts";
import { ensureOwnDirectory } from "../../cache/cache_directory.ts";
import { takeLock } from "../../cache/cache_store.ts";
import { digestOf } from "../../cache/digest.ts";
import { type InstalledPackages, installPackages } from "./install_packages.ts";
import type { PackageMemory, RememberedPackages } from "./package_memory.ts";
import { type PackageRequest, requestKey, wantedText } from "./package_request.ts";
import { covers, type PackageSet } from "./package_set.ts";
import { type RegistrySessionOptions, withRegistry } from "./registry_session.ts";

export interface ProvidePackagesOptions extends RegistrySessionOptions {
  /** What messages call the one that needs them; absent: the packages are wanted for themselves. */
  readonly user?: string;
  readonly memory: PackageMemory;
  /** Versions that somebody else has bound, for what the memory does not know. */
  readonly seed?: (requests: readonly PackageRequest[]) => PackageSet | undefined;
}

/**
 * Installs packages for somebody: in the versions that are remembered where they cover the
 * requests, else in those that the registry has to offer, which are then remembered.
 */
export async function providePackages(
  requests: readonly PackageRequest[],
  options: ProvidePackagesOptions,
): Promise<InstalledPackages> {
  const keys = requests.map(requestKey);
  const usable = (remembered = options.memory.read()) =>
    remembered !== undefined && (remembered.isFresh || options.offline) &&
      covers(remembered.set, keys)
      ? remembered.set
      : undefined;
  const known = usable() ?? await exclusively(keys, options, async () => {
    // Another process may have asked the registry in the meantime.
    const remembered = options.memory.read();
    return usable(remembered) ?? await chosen(requests, remembered, options);
  });
  return await installPackages(wantedText(keys, options.user), known, options);
}

/** The same with the newest versions that fit, whatever is remembered. */
export async function updatePackages(
  requests: readonly PackageRequest[],
  options: ProvidePackagesOptions,
): Promise<InstalledPackages> {
  const keys = requests.map(requestKey);
  const set = await exclusively(
    keys,
    options,
    () => chosen(requests, undefined, { ...options, asksAgain: true }),
  );
  return await installPackages(wantedText(keys, options.user), set, options);
}

async function exclusively<T>(
  keys: readonly string[],
  { cacheDirectory }: ProvidePackagesOptions,
  choose: () => Promise<T>,
): Promise<T> {
  await ensureOwnDirectory(cacheDirectory);
  const folder = await ensureOwnDirectory(join(cacheDirectory, "packages"));
  using _lock = await takeLock(join(folder, `${digestOf(keys.join(" "))}.lock`));
  return await choose();
}

async function chosen(
  requests: readonly PackageRequest[],
  remembered: RememberedPackages | undefined,
  options: ProvidePackagesOptions,
): Promise<PackageSet> {
  const { memory } = options;
  const seed = remembered?.isPinned ? remembered.set : options.seed?.(requests);
  const keys = requests.map(requestKey);
  if (seed !== undefined && !remembered?.isPinned && covers(seed, keys)) {
    await memory.write(seed);
    return seed;
  }
  const { resolvePackages } = await import("./resolve_packages.ts");
  let set: PackageSet;
  try {
    set = await withRegistry(
      wantedText(keys, options.user),
      options,
      (session) => resolvePackages(requests, seed, session),
    );
  } catch (error) {
    const old = remembered?.isPinned ? undefined : remembered?.set;
    if (old === undefined || !covers(old, keys)) throw error;
    if (!(error instanceof KarotteError)) throw error;
    warn(`${messageOf(error)}: going on with the versions of last time`);
    return old;
  }
  await memory.write(set);
  return set;
}
