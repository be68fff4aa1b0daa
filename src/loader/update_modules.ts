import { withErrorCode } from "./error_code.ts";
import type { LoadModuleOptions } from "./load_module.ts";
import { moduleTarget } from "./module_target.ts";
import { lockKey, readLockFile, updateLockFile } from "./packages/lock_file.ts";
import { packageMemory } from "./packages/package_memory.ts";
import {
  type PackageRequest,
  packageRequest,
  parseRequest,
  requestKey,
} from "./packages/package_request.ts";
import type { PackageSet } from "./packages/package_set.ts";
import { updatePackages } from "./packages/provide_packages.ts";

/** What became of one package that a plugin asks for. */
export interface ModuleUpdate {
  /** The plugin's specifier. */
  readonly specifier: string;
  /** The package as the plugin asks for it, like `npm:name@^1`. */
  readonly package: string;
  /** Undefined: it was not locked. */
  readonly from: string | undefined;
  readonly to: string;
}

/**
 * Locks the newest versions that fit what plugins ask for, and installs them; those that are not
 * old enough are left out as always. A local file has the packages that it had when it was loaded
 * last. Throws a `KarotteError` with code `plugin`.
 */
export async function updateModules(
  specifiers: readonly string[],
  options: LoadModuleOptions,
): Promise<ModuleUpdate[]> {
  const { baseDirectory, cacheDirectory, lockFile } = options;
  const updates: ModuleUpdate[] = [];
  for (const specifier of specifiers) {
    const owner = ownerOf(specifier, baseDirectory);
    const memory = packageMemory({ owner, cacheDirectory, lockFile });
    const before = memory.read()?.set;
    const requests = requestsOf(owner, before);
    if (requests.length === 0) continue;
    const settings = { ...options, directory: baseDirectory, isTrusted: true, memory };
    const { set } = await withErrorCode("plugin", () => updatePackages(requests, settings));
    for (const key of requests.map(requestKey)) {
      const to = versionOf(set, key) ?? "";
      updates.push({ specifier, package: key, from: versionOf(before, key), to });
    }
  }
  return updates;
}

/** Drops everything from the lock file that belongs to none of these plugins. */
export async function pruneModules(
  specifiers: readonly string[],
  options: LoadModuleOptions,
): Promise<void> {
  const { baseDirectory, cacheDirectory, lockFile } = options;
  if (lockFile === undefined) return;
  const kept = specifiers.map((specifier) => lockKey(ownerOf(specifier, baseDirectory), lockFile));
  const isKept = (key: string) => kept.includes(key);
  // No file is written where nothing is to be dropped.
  if (Object.keys(readLockFile(lockFile).modules).every(isKept)) return;
  await updateLockFile({ path: lockFile, cacheDirectory }, (modules) => {
    for (const key of Object.keys(modules)) if (!isKept(key)) delete modules[key];
  });
}

function ownerOf(specifier: string, baseDirectory: string): string {
  const target = moduleTarget(specifier, baseDirectory);
  if (target.kind === "file") return target.path;
  const request = packageRequest(target.package);
  return request === undefined ? specifier : requestKey(request);
}

function requestsOf(owner: string, set: PackageSet | undefined): PackageRequest[] {
  const own = parseRequest(owner);
  if (own !== undefined) return [own];
  return Object.keys(set?.imports ?? {}).flatMap((key) => parseRequest(key) ?? []);
}

function versionOf(set: PackageSet | undefined, key: string): string | undefined {
  const folder = set?.imports[key];
  return folder === undefined ? undefined : set?.packages[`node_modules/${folder}`]?.version;
}
