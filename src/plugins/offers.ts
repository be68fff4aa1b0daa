import { KarotteError } from "../base/errors.ts";
import { isReachableFileSync } from "../base/files.ts";
import type { ModuleTarget } from "../loader/module_target.ts";
import type { LocalOffer, LocalSource } from "./local_offers.ts";
import type { PinnedSource } from "./locked_offers.ts";
import type { ModuleSource } from "./module_loader.ts";
import { readRemembered, remember } from "./remembered.ts";

/** What a module of `"plugins"` has to offer. */
export interface Offer {
  /** Version of its package; null for a file. */
  readonly version: string | null;
  /** What the plugin calls itself. */
  readonly plugin: string;
  /** Names of entries by group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** An offer as the module itself said it. */
export interface LoadedOffer extends Offer {
  /** Digest of the bundled module. */
  readonly digest: string;
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
  /** The user said yes to the plugin. */
  readonly isTrusted: boolean;
}

/** A module that was loaded, for whoever records what it offers. */
export interface LoadedFacts {
  readonly offer: LoadedOffer;
  /** Paths of the files that it was made from and that may change. */
  readonly inputs: readonly string[];
  /** Returns the digest of the module as it is now. */
  digest(): Promise<string | undefined>;
}

/**
 * What modules offer, as it was found out when they were loaded last, so that they need not be
 * loaded to be listed. It stands in the lock file, so that a fresh clone has it: what a pinned
 * package offers beside its pins, true as long as those are; what a local module offers with the
 * digests of its files. And it stands in the cache with the state of the files that it was found
 * out from, as do the commands of all plugins together: help reads one file instead of one a
 * module.
 */
export class Offers {
  readonly #cacheDirectory: string;

  constructor(cacheDirectory: string) {
    this.#cacheDirectory = cacheDirectory;
  }

  /**
   * Returns what a module offers now; undefined: not known without loading it. `digest` finds out
   * which module a package that is not pinned has now. `knownBy` says whether a local module must
   * have said it on this machine: anybody who may write the project may write its lock file, and
   * nobody is asked about that.
   */
  async current(
    source: ModuleSource,
    digest: () => Promise<string | undefined>,
    knownBy: "lock file" | "itself" = "lock file",
  ): Promise<KnownOffer | undefined> {
    const locked = await this.locked(source);
    const isDoubted = knownBy === "itself" && source.target.kind === "file";
    if (locked !== undefined && !(isDoubted && await this.#isNew(source.target, locked))) {
      return locked;
    }
    const { value, files, isCurrent } = await this.#read(source.target) ?? {};
    const offer = parseLoadedOffer(value);
    if (offer === undefined) return undefined;
    const isFile = source.target.kind === "file";
    if (isFile && !isCurrent?.()) return undefined;
    // A lock file may pin other packages now, also those that a local module imports.
    const hasSureFiles = isFile && !hasLockFile(source);
    if (!hasSureFiles && await digest() !== offer.digest) return undefined;
    return { offer, files: isFile ? withLockFile(source, files ?? []) : undefined };
  }

  /** Returns what a module offered when it was loaded last, although that may have changed. */
  async last(target: ModuleTarget): Promise<KnownOffer | undefined> {
    const { value, files } = await this.#read(target) ?? {};
    const offer = parseLoadedOffer(value);
    if (offer === undefined) return undefined;
    return { offer, files: target.kind === "file" ? files : undefined };
  }

  /**
   * Returns all that a module is known to have offered, by the cache and by the lock file, although
   * that may have changed.
   */
  async past(source: ModuleSource): Promise<Offer | undefined> {
    const cached = (await this.last(source.target))?.offer;
    const locked = isLocal(source) ? parseOffer(await readableLocal(source)) : undefined;
    if (cached === undefined || locked === undefined) return cached ?? locked;
    return { ...cached, groups: unionOf(cached.groups, locked.groups) };
  }

  /** Returns what the lock file says that a module offers, if that is true as of now. */
  async locked(source: ModuleSource): Promise<KnownOffer | undefined> {
    if (isLocal(source)) {
      const { value, files, isCurrent } = await readLocal(source) ?? {};
      const offer = parseOffer(value);
      if (offer === undefined || files === undefined || !isCurrent?.()) return undefined;
      return { offer, files: [source.lockFile, ...files] };
    }
    if (!isPinned(source)) return undefined;
    const { readLockedOffer } = await import("./locked_offers.ts");
    const offer = parseLoadedOffer(readLockedOffer(source));
    return offer === undefined ? undefined : { offer, files: [source.lockFile] };
  }

  /**
   * Remembers what a module offers: in the cache, and in the lock file if there is one that can be
   * written. That of a stranger's project is his to write.
   */
  async remember(source: ModuleSource, facts: LoadedFacts): Promise<KnownOffer> {
    const { target } = source;
    const { offer, inputs } = facts;
    await remember(this.#cacheDirectory, target.key, { value: offer, files: inputs });
    if (isPinned(source) || (isLocal(source) && source.approved === undefined)) {
      try {
        await this.lock(source, facts);
      } catch (error) {
        // The cache has the same: a folder that is only read is no obstacle.
        if (!(error instanceof KarotteError)) throw error;
      }
    }
    if (target.kind === "file") return { offer, files: withLockFile(source, inputs) };
    return await this.locked(source) ?? { offer, files: undefined };
  }

  /**
   * Writes what a module offers into its manifest's lock file, which is made for a local module.
   * Throws a `KarotteError` if that can't be written.
   */
  async lock(source: ModuleSource, { offer, inputs, digest }: LoadedFacts): Promise<void> {
    const { target, lockFile } = source;
    if (lockFile === undefined) return;
    if (target.kind === "file") {
      const { writeLocalOffer } = await import("./local_offers.ts");
      const isStillSo = async () => await digest() === offer.digest;
      const facts = { offer, inputs, isStillSo };
      await writeLocalOffer({ ...source, target, lockFile }, this.#cacheDirectory, facts);
    } else if (isPinned(source)) {
      const { writeLockedOffer } = await import("./locked_offers.ts");
      await writeLockedOffer(source, this.#cacheDirectory, offer);
    }
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

  /** Returns true unless the module, as it is now, said the same on this machine. */
  async #isNew(target: ModuleTarget, { offer }: KnownOffer): Promise<boolean> {
    const { value, isCurrent } = await this.#read(target) ?? {};
    const said = parseOffer(value);
    return said === undefined || namesOf(said) !== namesOf(offer) || !isCurrent?.();
  }

  async #read(target: ModuleTarget) {
    return await readRemembered(this.#cacheDirectory, target.key);
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
  return source.target.kind === "package" && hasLockFile(source);
}

/** Returns true if there is a lock file that may tell what the local module offers. */
function isLocal(source: ModuleSource): source is LocalSource {
  return source.target.kind === "file" && hasLockFile(source);
}

function hasLockFile({ lockFile }: ModuleSource): boolean {
  return lockFile !== undefined && isReachableFileSync(lockFile);
}

/** Adds the lock file, if there is one, to the files that decide what a local module offers. */
function withLockFile(source: ModuleSource, files: readonly string[]): readonly string[] {
  return source.lockFile !== undefined && hasLockFile(source) ? [source.lockFile, ...files] : files;
}

async function readLocal(source: LocalSource): Promise<LocalOffer | undefined> {
  const { readLocalOffer } = await import("./local_offers.ts");
  return readLocalOffer(source);
}

/** Returns what a lock file says; nothing if it can't be read, which shows elsewhere. */
async function readableLocal(source: LocalSource): Promise<unknown> {
  try {
    return (await readLocal(source))?.value;
  } catch (error) {
    if (error instanceof KarotteError) return undefined;
    throw error;
  }
}

function parseLoadedOffer(value: unknown): LoadedOffer | undefined {
  const offer = parseOffer(value);
  if (offer === undefined || typeof value !== "object") return undefined;
  const { digest } = value as Readonly<Record<string, unknown>>;
  return typeof digest === "string" ? { digest, ...offer } : undefined;
}

function parseOffer(value: unknown): Offer | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { version = null, plugin, groups } = value as Record<string, unknown>;
  const isWhole = typeof plugin === "string" &&
    (version === null || typeof version === "string") && isGroups(groups);
  return isWhole ? { version, plugin, groups } : undefined;
}

/** Returns the names of all entries in one text, in an order that says nothing. */
function namesOf({ groups }: Offer): string {
  const names = Object.entries(groups).flatMap(([group, names]) =>
    names.map((name) => JSON.stringify([group, name]))
  );
  return names.sort().join();
}

function unionOf(one: Offer["groups"], other: Offer["groups"]): Offer["groups"] {
  const groups = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...groups].map((group) => [
      group,
      [...new Set([...one[group] ?? [], ...other[group] ?? []])],
    ]),
  );
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
