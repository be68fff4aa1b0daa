import { type LockFile, readLockFile, updateLockFile } from "../loader/packages/lock_file.ts";
import type { PackageTarget } from "../loader/module_target.ts";
import { requestKey } from "../loader/packages/package_request.ts";
import type { ModuleSource } from "./module_loader.ts";

/** A module of a package, with a lock file that may pin it. */
export interface PinnedSource extends ModuleSource {
  readonly target: PackageTarget;
  readonly lockFile: string;
}

/** The property of a package's pins with what its modules offer; the loader drops both together. */
const FIELD = "plugins";

type Pins = LockFile["modules"][string];

/** Returns what the lock file says that a module offers; undefined: nothing. */
export function readLockedOffer(source: PinnedSource): unknown {
  return offersIn(readPins(source))[source.target.key];
}

/** Returns the version that a package is pinned to; undefined: it is not pinned. */
export function readPinnedVersion(source: PinnedSource): string | undefined {
  const pins = readPins(source);
  const folder = pins?.imports[requestKey(source.target.package)];
  return folder === undefined ? undefined : pins?.packages[`node_modules/${folder}`]?.version;
}

/** Writes what a module offers beside the pins of its package; where there are none, nothing. */
export async function writeLockedOffer(
  source: PinnedSource,
  cacheDirectory: string,
  offer: object,
): Promise<void> {
  const { target, lockFile: path } = source;
  const pins = readPins(source);
  if (pins === undefined || isSame(offersIn(pins)[target.key], offer)) return;
  const key = requestKey(target.package);
  await updateLockFile({ path, cacheDirectory }, (modules) => {
    const current: Pins | undefined = modules[key];
    if (current === undefined) return;
    const offers = { ...offersIn(current), [target.key]: offer };
    modules[key] = Object.assign({}, current, { [FIELD]: offers });
  });
}

function readPins({ lockFile, target }: PinnedSource): Pins | undefined {
  return readLockFile(lockFile).modules[requestKey(target.package)];
}

function offersIn(pins: Pins | undefined): Readonly<Record<string, unknown>> {
  const offers = pins?.[FIELD];
  return typeof offers === "object" && offers !== null ? { ...offers } : {};
}

/** Compares two offers; both were made by the same code, so that their JSON is the same. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
