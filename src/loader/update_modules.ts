import { withErrorCode } from "./error_code.ts";
import type { LoadModuleOptions } from "./load_module.ts";
import { realFile } from "./local_module.ts";
import { type ModuleTarget, targetError } from "./module_target.ts";
import { lockKey, readLockFile, updateLockFile } from "./packages/lock_file.ts";
import { packageMemory } from "./packages/package_memory.ts";
import { type PackageRequest, parseRequest, requestKey } from "./packages/package_request.ts";
import type { PackageSet } from "./packages/package_set.ts";
import { updatePackages } from "./packages/provide_packages.ts";

/** What became of one package that a plugin asks for. */
export interface ModuleUpdate {
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
  targets: readonly ModuleTarget[],
  options: LoadModuleOptions,
): Promise<ModuleUpdate[]> {
  const { baseDirectory, cacheDirectory, lockFile, trustsNpmrc } = options;
  const updates: ModuleUpdate[] = [];
  for (const target of targets) {
    const owner = ownerOf(target);
    const memory = packageMemory({ owner, cacheDirectory, lockFile });
    const before = memory.read()?.set;
    const requests = requestsOf(target, before);
    if (requests.length === 0) continue;
    const settings = { ...options, directory: baseDirectory, isTrusted: trustsNpmrc, memory };
    const { set } = await withErrorCode("plugin", () => updatePackages(requests, settings));
    for (const key of requests.map(requestKey)) {
      const to = versionOf(set, key) ?? "";
      updates.push({ package: key, from: versionOf(before, key), to });
    }
  }
  return updates;
}

/** Drops everything from the lock file that belongs to none of these plugins. */
export async function pruneModules(
  targets: readonly ModuleTarget[],
  { cacheDirectory, lockFile }: Pick<LoadModuleOptions, "cacheDirectory" | "lockFile">,
): Promise<void> {
  if (lockFile === undefined) return;
  const kept = targets.map((target) => lockKey(ownerOf(target), lockFile));
  // What a local module offers stands by its path as it is written, even if that is a link.
  const keptLocal = targets.map((target) =>
    target.kind === "file" ? lockKey(target.path, lockFile) : undefined
  );
  const isDropped = (key: string) => !kept.includes(key);
  const isDroppedLocal = (key: string) => !keptLocal.includes(key);
  // No file is written where nothing is to be dropped.
  const current = readLockFile(lockFile);
  const isClean = !Object.keys(current.modules).some(isDropped) &&
    !Object.keys(current.local ?? {}).some(isDroppedLocal);
  if (isClean) return;
  await updateLockFile({ path: lockFile, cacheDirectory }, (modules, local) => {
    for (const key of Object.keys(modules).filter(isDropped)) delete modules[key];
    for (const key of Object.keys(local).filter(isDroppedLocal)) delete local[key];
  });
}

/** Returns what the lock file pins packages for. */
function ownerOf(target: ModuleTarget): string {
  switch (target.kind) {
    case "file":
      return realFile(target);
    case "package":
      return requestKey(target.package);
    case "unusable":
      throw targetError(target, target.reason, { hint: target.hint });
  }
}

function requestsOf(target: ModuleTarget, set: PackageSet | undefined): PackageRequest[] {
  if (target.kind === "package") return [target.package];
  return Object.keys(set?.imports ?? {}).flatMap((key) => parseRequest(key) ?? []);
}

function versionOf(set: PackageSet | undefined, key: string): string | undefined {
  const folder = set?.imports[key];
  return folder === undefined ? undefined : set?.packages[`node_modules/${folder}`]?.version;
}
