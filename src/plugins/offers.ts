import { isReachableFileSync } from "../base/files.ts";
import type { ModuleTarget } from "../loader/module_target.ts";
import type { PinnedSource } from "./locked_offers.ts";
import type { ModuleSource } from "./module_loader.ts";
import { readRemembered, remember } from "./remembered.ts";

/** What a module of `"plugins"` has to offer. */
export interface Offer {
  /** Digest of the bundled module that said so. */
  readonly digest: string;
  /** Version of its package; null for a file. */
  readonly version: string | null;
  /** What the plugin calls itself. */
  readonly plugin: string;
  /** Names of entries by group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** An offer, and how it is known. */
export interface KnownOffer {
  readonly offer: Offer;
  /** Files that decide about the offer; undefined: other things do so too. */
  readonly files: readonly string[] | undefined;
}

/** A command that a plugin adds, as help lists it. */
export interface OfferedCommand {
  readonly name: string;
  readonly plugin: string;
}

/**
 * What modules offer, as it was found out when they were loaded last, so that they need not be
 * loaded to be listed. What a pinned package offers stands in the lock file beside its pins: it is
 * true as long as those are. All else stands in the cache with the state of the files that it was
 * found out from, and so do the commands of all plugins together: help reads one file instead of
 * one a module.
 */
export class Offers {
  readonly #cacheDirectory: string;

  constructor(cacheDirectory: string) {
    this.#cacheDirectory = cacheDirectory;
  }

  /**
   * Returns what a module offers now; undefined: not known without loading it. `digest` finds out
   * which module a package that is not pinned has now.
   */
  async current(
    source: ModuleSource,
    digest: () => Promise<string | undefined>,
  ): Promise<KnownOffer | undefined> {
    const locked = await this.#locked(source);
    if (locked !== undefined) return locked;
    const { value, files, isCurrent } = await this.#read(source.target) ?? {};
    const offer = parseOffer(value);
    if (offer === undefined) return undefined;
    if (source.target.kind === "file") return isCurrent?.() ? { offer, files } : undefined;
    return await digest() === offer.digest ? { offer, files: undefined } : undefined;
  }

  /** Returns what a module offered when it was loaded last, although that may have changed. */
  async last(target: ModuleTarget): Promise<KnownOffer | undefined> {
    const { value, files } = await this.#read(target) ?? {};
    const offer = parseOffer(value);
    if (offer === undefined) return undefined;
    return { offer, files: target.kind === "file" ? files : undefined };
  }

  /** Remembers what a module offers; `inputs` are paths of the files that it was made from. */
  async remember(
    source: ModuleSource,
    offer: Offer,
    inputs: readonly string[],
  ): Promise<KnownOffer> {
    const { target } = source;
    await remember(this.#cacheDirectory, target.key, { value: offer, files: inputs });
    if (target.kind === "file") return { offer, files: inputs };
    if (isPinned(source)) {
      const { writeLockedOffer } = await import("./locked_offers.ts");
      await writeLockedOffer(source, this.#cacheDirectory, offer);
    }
    return await this.#locked(source) ?? { offer, files: undefined };
  }

  /**
   * Returns the commands that the plugins of these manifests add; undefined: not known as of now.
   */
  async commands(manifests: readonly string[]): Promise<readonly OfferedCommand[] | undefined> {
    const known = await readRemembered(this.#cacheDirectory, commandsKey(manifests));
    if (known === undefined || !known.isCurrent()) return undefined;
    // The caller's own cache has what was written.
    return known.value as readonly OfferedCommand[];
  }

  /** Remembers those commands; `files` decide, besides the manifests, which there are. */
  async rememberCommands(
    manifests: readonly string[],
    value: readonly OfferedCommand[],
    files: readonly string[],
  ): Promise<void> {
    const key = commandsKey(manifests);
    await remember(this.#cacheDirectory, key, { value, files: [...manifests, ...files] });
  }

  async #read(target: ModuleTarget) {
    return await readRemembered(this.#cacheDirectory, target.key);
  }

  async #locked(source: ModuleSource): Promise<KnownOffer | undefined> {
    if (!isPinned(source)) return undefined;
    const { readLockedOffer } = await import("./locked_offers.ts");
    const offer = parseOffer(readLockedOffer(source));
    return offer === undefined ? undefined : { offer, files: [source.lockFile] };
  }
}

/** Returns the version that a package is pinned to; undefined: not a package, or not pinned. */
export async function pinnedVersion(source: ModuleSource): Promise<string | undefined> {
  if (!isPinned(source)) return undefined;
  const { readPinnedVersion } = await import("./locked_offers.ts");
  return readPinnedVersion(source);
}

/** Returns true if there is a lock file that may pin the module's package. */
function isPinned(source: ModuleSource): source is PinnedSource {
  const { target, lockFile } = source;
  return target.kind === "package" && lockFile !== undefined && isReachableFileSync(lockFile);
}

function parseOffer(value: unknown): Offer | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { digest, version, plugin, groups } = value as Record<string, unknown>;
  const isWhole = typeof digest === "string" && typeof plugin === "string" &&
    (version === null || typeof version === "string") && isGroups(groups);
  return isWhole ? { digest, version, plugin, groups } : undefined;
}

function isGroups(value: unknown): value is Offer["groups"] {
  return typeof value === "object" && value !== null &&
    Object.values(value).every((names) =>
      Array.isArray(names) && names.every((name) => typeof name === "string")
    );
}

function commandsKey(manifests: readonly string[]): string {
  return `commands of ${JSON.stringify(manifests)}`;
}
