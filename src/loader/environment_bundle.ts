import { dirname, join } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { ifThereSync } from "../base/files.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { VERSION } from "../base/version.ts";
import { ensureOwnDirectory } from "../cache/cache_directory.ts";
import { publish, stagingDirectory, takeLock } from "../cache/cache_store.ts";
import { digestOf, fileDigest } from "../cache/digest.ts";
import { inputsAreSame, readRecord, writeRecord } from "../cache/input_record.ts";
import { isWithin, listTree, treeDigest, type TreeFile } from "../cache/file_tree.ts";
import { EnvironmentPlaces } from "./bundler/places.ts";
import { findNpmrc } from "./packages/project_npmrc.ts";
import { findProjectConfig } from "./project_config.ts";
import { type SharedModules, sharedModules } from "./shared_modules.ts";

/** Goes up with each change of what a bundle looks like. */
const LOADER_VERSION = 2;

/** How often a build starts again because a file was changed under it. */
const MOST_ATTEMPTS = 3;

export interface BundleEnvironmentOptions {
  /** The environment's folder: the one with `deno.json` and `src/environment`. */
  directory: string;
  /** What `cacheDirectory()` says. */
  cacheDirectory: string;
  /** Use only packages that are installed already. */
  offline?: boolean;
  /** The environment's `.npmrc` is as good as the user's own: a stranger may not have made it. */
  trustsNpmrc?: boolean;
  /** Names of packages whose newest versions may be used on the day they are published. */
  ageDelayExemptions?: readonly string[];
  signal?: AbortSignal;
  /** Variables that say how registries are reached; absent: this process's. */
  variable?: (name: string) => string | undefined;
}

export interface EnvironmentBundle {
  /**
   * A folder of the cache with what a sandbox gets as `/opt/karotte/private`: `environment/`, a
   * copy of `src/environment`, and `bundle/`, with `environment.js` and `scoring/*.js`. Not to be
   * written.
   */
  readonly directory: string;
  /** SHA-256 in hex of all that the folder holds. */
  readonly digest: string;
}

/**
 * Bundles an environment, or finds the bundle of the same files in the cache. Throws a
 * `KarotteError` with file, line and column for what the environment's author has to change.
 */
export async function bundleEnvironment(
  options: BundleEnvironmentOptions,
): Promise<EnvironmentBundle> {
  const { signal } = options;
  signal?.throwIfAborted();
  const cache = await ensureOwnDirectory(options.cacheDirectory);
  const places = new EnvironmentPlaces(
    environmentDirectory(options.directory),
    Deno.realPathSync(cache),
  );
  const shared = await sharedModules();
  const entries = await ensureOwnDirectory(join(cache, "environments"));
  const records = await ensureOwnDirectory(join(entries, "records"));
  const lock = join(records, `${digestOf(places.directory)}.lock`);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const files = listTree(places.sources, places.directory);
    const record = join(records, `${cacheKey(places, shared, files)}.json`);
    const known = cached(record, entries);
    if (known !== undefined) return known;
    using _lock = await takeLock(lock);
    signal?.throwIfAborted();
    // Another process may have built it in the meantime.
    const built = cached(record, entries) ??
      await build({ places, shared, files, record, entries, cache, options });
    if (built !== undefined) return built;
  }
  throw new KarotteError(
    "usage",
    `Cannot bundle "${options.directory}": its files change while they are read`,
  );
}

/** Returns the real path of an environment's folder, in which its `src/environment` has to lie. */
function environmentDirectory(directory: string): string {
  const path = ifThereSync(() => Deno.realPathSync(directory));
  const sources = path && ifThereSync(() => Deno.realPathSync(join(path, "src", "environment")));
  if (path !== undefined && sources !== undefined && Deno.statSync(sources).isDirectory) {
    if (isWithin(path, sources)) return path;
    throw new KarotteError(
      "usage",
      `Cannot load environment "${directory}": its src/environment leads to "${sources}"`,
      { hint: "Put the files themselves into the environment's folder." },
    );
  }
  throw new KarotteError(
    "usage",
    `Cannot load environment "${directory}": no src/environment there`,
    {
      hint: "Name the folder of an environment with -C, or make one with `karotte create-env`.",
    },
  );
}

/** A digest of everything that decides about the bundle and can be known without building it. */
function cacheKey(
  places: EnvironmentPlaces,
  shared: SharedModules,
  files: readonly TreeFile[],
): string {
  const config = findProjectConfig(places.directory);
  const npmrc = findNpmrc(places.directory, Deno.env.get("HOME"));
  return digestOf(JSON.stringify([
    LOADER_VERSION,
    VERSION,
    shared,
    places.directory,
    treeDigest(files),
    config === undefined ? null : [config, fileDigest(config)],
    ifThereSync(() => fileDigest(join(places.directory, "deno.lock"))) ?? null,
    npmrc === undefined ? null : fileDigest(npmrc),
  ]));
}

/** The entry that a record names, if all it was made from and all it holds is still the same. */
function cached(recordPath: string, entries: string): EnvironmentBundle | undefined {
  const record = readRecord(recordPath);
  if (record === undefined || !inputsAreSame(record)) return undefined;
  const entry = join(entries, record.digest);
  return isEntry(entry, record.digest) ? { directory: entry, digest: record.digest } : undefined;
}

/** An entry is named after its content, so one that was torn or changed shows itself. */
function isEntry(entry: string, digest: string): boolean {
  try {
    return treeDigest(listTree(entry, entry)) === digest;
  } catch (error) {
    if (error instanceof KarotteError || error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

interface Build {
  readonly places: EnvironmentPlaces;
  readonly shared: SharedModules;
  readonly files: readonly TreeFile[];
  readonly record: string;
  readonly entries: string;
  readonly cache: string;
  readonly options: BundleEnvironmentOptions;
}

/** Undefined: a file is not (any more) what it was when it was listed. */
async function build(build: Build): Promise<EnvironmentBundle | undefined> {
  const { places, shared, files, record, entries, cache, options } = build;
  const { buildWithPackages } = await import("./environment_packages.ts");
  const staged = await stagingDirectory(cache);
  try {
    const copy = join(staged, "environment");
    await Deno.mkdir(copy);
    for (const file of files) await copyFile(file, copy);
    if (treeDigest(listTree(copy, copy)) !== treeDigest(files)) return undefined;
    const paths = files.map(({ path }) => path);
    const inputs = await buildWithPackages({ places, shared, paths, staged }, options);
    options.signal?.throwIfAborted();
    const digest = treeDigest(listTree(staged, staged));
    const entry = join(entries, digest);
    await publish(staged, entry, () => isEntry(entry, digest));
    await writeRecord(record, { digest, inputs: Object.fromEntries(inputs) });
    return { directory: entry, digest };
  } finally {
    await removeIfThere(staged);
  }
}

async function copyFile(file: TreeFile, folder: string): Promise<void> {
  const target = join(folder, file.path);
  await Deno.mkdir(dirname(target), { recursive: true });
  await Deno.copyFile(file.source, target);
  await Deno.chmod(target, file.executable ? 0o755 : 0o644);
}
