import { isReachableFileSync } from "../base/files.ts";
import type { LockFile } from "../loader/packages/lock_file.ts";
import type { ModuleSource } from "./module_loader.ts";
import { type OfferedNames, parseOfferedNames } from "./recorded_names.ts";

/**
 * What the modules of a package offer stands in the lock file, beside the package's pins: it stays
 * true as long as those do, and the loader drops both together.
 */
const FIELD = "plugins";

/** Undefined: not a package, not pinned, or never loaded. */
export async function readLockedNames(source: ModuleSource): Promise<OfferedNames | undefined> {
  const pins = await readPins(source);
  return parseOfferedNames(offersOf(pins?.[FIELD])[source.module]);
}

/** The version that a package is pinned to; undefined: not a package, or not pinned. */
export async function readLockedVersion(source: ModuleSource): Promise<string | undefined> {
  const pins = await readPins(source);
  const folder = pins?.imports[await keyOf(source)];
  return folder === undefined ? undefined : pins?.packages[`node_modules/${folder}`]?.version;
}

export async function writeLockedNames(
  source: ModuleSource,
  cacheDirectory: string,
  names: OfferedNames,
): Promise<void> {
  const { lockFile: path, module } = source;
  const recorded = await readLockedNames(source);
  if (path === undefined || await readPins(source) === undefined || isSame(recorded, names)) return;
  const { updateLockFile } = await import("../loader/packages/lock_file.ts");
  const key = await keyOf(source);
  await updateLockFile({ path, cacheDirectory }, (modules) => {
    const pins: LockFile["modules"][string] | undefined = modules[key];
    if (pins === undefined) return;
    const offers = { ...offersOf(pins[FIELD]), [module]: names };
    modules[key] = Object.assign({}, pins, { [FIELD]: offers });
  });
}

async function readPins(source: ModuleSource): Promise<LockFile["modules"][string] | undefined> {
  const { lockFile, directory } = source;
  if (lockFile === undefined || directory !== undefined || !isReachableFileSync(lockFile)) {
    return undefined;
  }
  const { readLockFile } = await import("../loader/packages/lock_file.ts");
  return readLockFile(lockFile).modules[await keyOf(source)];
}

/** As the loader calls the package there: without the path in it. */
async function keyOf({ module }: ModuleSource): Promise<string> {
  const [{ parsePackage }, { packageRequest, requestKey }] = await Promise.all([
    import("../loader/specifier.ts"),
    import("../loader/packages/package_request.ts"),
  ]);
  const specifier = parsePackage(module);
  const request = specifier === undefined ? undefined : packageRequest(specifier);
  return request === undefined ? module : requestKey(request);
}

function offersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Both were made by the same code, so their JSON is the same. */
function isSame(recorded: OfferedNames | undefined, names: OfferedNames): boolean {
  return JSON.stringify(recorded) === JSON.stringify(names);
}
