import { publishSdk } from "../sdk/publish.ts";
import { withErrorCode } from "./error_code.ts";
import type { ModuleFinder } from "./found_module.ts";
import { importModule } from "./import_module.ts";
import { localModule } from "./local_module.ts";
import { contentOf, type ModuleContent } from "./module_content.ts";
import { type ModuleTarget, targetError } from "./module_target.ts";
import { authorsNamespace } from "./bundler/namespace.ts";
import { packageModule } from "./package_module.ts";

export interface LoadModuleOptions {
  /** The folder whose `.npmrc` counts: that of whoever names the module. */
  baseDirectory: string;
  /** What `cacheDirectory()` says. */
  cacheDirectory: string;
  /** Path of `karotte.plugins.lock.json`, which pins packages; undefined: nothing does. */
  lockFile: string | undefined;
  /** Use only what is installed already. */
  offline: boolean;
  /** The `.npmrc` of that folder is as good as the user's own. */
  trustsNpmrc: boolean;
  /**
   * Digest of the content that the user said yes to: no other is imported. Undefined: whatever is
   * there.
   */
  approved?: string | undefined;
  /** Names of packages whose newest versions may be used on the day they are published. */
  ageDelayExemptions: readonly string[];
  /** Milliseconds that the module's top level may take; 10,000 if absent. */
  timeoutMs?: number;
  /** Milliseconds that one talk with a registry may take; 120,000 if absent. */
  networkTimeoutMs?: number;
  signal?: AbortSignal;
}

export interface LoadedModule {
  readonly namespace: Readonly<Record<string, unknown>>;
  /** The version of the package it came from; null for a file. */
  readonly version: string | null;
  /** SHA-256 in hex of the bundled module. */
  readonly digest: string;
  /** Paths of the files that it was made from and that may change. */
  readonly inputs: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Loads a plugin: bundles what the target names into a self-contained module of the cache, unless
 * it is there already, and imports it. The same content is evaluated once in a process.
 *
 * Throws a `KarotteError` with code `plugin`, which has file, line and column where there are some,
 * for whatever goes wrong on the way; a module that was still busy with its top level after
 * `timeoutMs` goes on in the background.
 */
export async function loadModule(
  target: ModuleTarget,
  options: LoadModuleOptions,
): Promise<LoadedModule> {
  const { signal, approved, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  signal?.throwIfAborted();
  publishSdk();
  const found = await withErrorCode("plugin", finder(target, options).bundled);
  if (approved !== undefined && contentOf(found, options.baseDirectory).digest !== approved) {
    throw targetError(target, "you did not say yes to what it is now", {
      hint: "karotte trust --show says what is wanted, and karotte trust is your yes",
    });
  }
  const { path, digest, version } = found;
  const bundle = await importModule(path, { specifier: target.written, timeoutMs, signal });
  const inputs = Object.keys(found.inputs);
  return { namespace: authorsNamespace(bundle), version, digest, inputs };
}

/**
 * Returns the digest that `loadModule` would return, without importing, installing or asking the
 * network; undefined: it is not known, since the module or something it is made of is new or has
 * changed.
 */
export async function moduleDigest(
  target: ModuleTarget,
  options: LoadModuleOptions,
): Promise<string | undefined> {
  const { known } = finder(target, options);
  return (await withErrorCode("plugin", known))?.digest;
}

/**
 * Returns what a module is made of, without importing it; its packages are installed. Throws a
 * `KarotteError` with code `plugin` for whatever keeps it from being bundled.
 */
export async function moduleContent(
  target: ModuleTarget,
  options: LoadModuleOptions,
): Promise<ModuleContent> {
  const found = await withErrorCode("plugin", finder(target, options).bundled);
  return contentOf(found, options.baseDirectory);
}

/**
 * Returns the text of a module's bundle, without importing, installing or asking the network;
 * undefined: there is none of the module as it is now.
 */
export async function bundledText(
  target: ModuleTarget,
  options: LoadModuleOptions,
): Promise<string | undefined> {
  const { known } = finder(target, options);
  const found = await withErrorCode("plugin", known);
  return found === undefined ? undefined : await Deno.readTextFile(found.path);
}

function finder(target: ModuleTarget, options: LoadModuleOptions): ModuleFinder {
  const { baseDirectory, trustsNpmrc } = options;
  const findOptions = { ...options, directory: baseDirectory, isTrusted: trustsNpmrc };
  switch (target.kind) {
    case "file":
      return localModule(target, findOptions);
    case "package":
      return packageModule(target, findOptions);
    case "unusable":
      throw targetError(target, target.reason, { hint: target.hint });
  }
}
