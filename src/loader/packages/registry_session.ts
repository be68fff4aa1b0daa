import { join } from "node:path";
import { within } from "../../base/promises.ts";
import type { NpmOptions } from "./arborist.ts";
import { installError } from "./install_error.ts";
import type { PackageSet } from "./package_set.ts";
import { PackumentCache } from "./packument_cache.ts";
import { hasSecret } from "./registry_checks.ts";
import { type RegistrySettings, registrySettings } from "./registry_settings.ts";

export interface RegistrySessionOptions {
  readonly cacheDirectory: string;
  /** Where the search for the project's `.npmrc` starts. */
  readonly directory: string;
  /** Whether that folder is the user's, and not a stranger's environment. */
  readonly isTrusted: boolean;
  readonly offline: boolean;
  /** Do not believe answers that were cached a moment ago. */
  readonly asksAgain?: boolean;
  /** What is to be installed, if that is known already. */
  readonly set?: PackageSet;
  readonly ageDelayExemptions: readonly string[];
  /** Variables that say how registries are reached; absent: this process's. */
  readonly variable?: ((name: string) => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one session with the registry may take; 120,000 if absent. */
  readonly networkTimeoutMs?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How old a version must be: most poisoned releases are found and withdrawn by then. */
const AGE_DELAY_MS = 7 * DAY_MS;
const NETWORK_TIMEOUT_MS = 120_000;
/** Without a byte from the registry. */
const IDLE_TIMEOUT_MS = 20_000;

/** How long npm's code may take to notice that it is to stop. */
const LAST_WORK_MS = 3000;

/** Options for npm's code while it may ask the registry. */
export interface RegistrySession {
  readonly options: NpmOptions;
  /** For what chooses versions. */
  readonly choice: { readonly before: Date; readonly minReleaseAgeExclude: readonly string[] };
}

/** Lends a session that ends in time, whatever the registry does. Throws nothing secret. */
export async function withRegistry<T>(
  wanted: string,
  options: RegistrySessionOptions,
  use: (session: RegistrySession) => Promise<T>,
): Promise<T> {
  const { offline, networkTimeoutMs = NETWORK_TIMEOUT_MS } = options;
  options.signal?.throwIfAborted();
  const settings = await registrySettings(options);
  const exempt = [...options.ageDelayExemptions, ...settings.ageDelayExemptions];
  const choice = {
    before: new Date(Date.now() - AGE_DELAY_MS),
    minReleaseAgeExclude: exempt.flatMap(exemptNames),
  };
  const packuments = new PackumentCache((host) => hasSecret(host, settings.options));
  const stop = new AbortController();
  const late = new Error(`it did not answer within ${networkTimeoutMs / 1000} s`);
  const timer = setTimeout(
    () => stop.abort(Object.assign(late, { code: "ETIMEDOUT" })),
    networkTimeoutMs,
  );
  const abort = () => stop.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", abort);
  let working: Promise<T> | undefined;
  const stopped = Promise.withResolvers<never>();
  stop.signal.addEventListener("abort", () => stopped.reject(stop.signal.reason));
  try {
    working = use({
      options: npmOptions(options, { settings, packuments, signal: stop.signal }),
      choice,
    });
    // npm's code looks at the signal in requests only.
    return await Promise.race([working, stopped.promise]);
  } catch (error) {
    // Nobody else should get at its files while it still writes them.
    await within(Promise.allSettled([working]), LAST_WORK_MS, undefined);
    options.signal?.throwIfAborted();
    const cause = stop.signal.aborted ? stop.signal.reason : error;
    const { redact } = settings;
    throw installError(cause, {
      wanted,
      offline,
      before: choice.before,
      set: options.set,
      undated: packuments.undated,
      redact,
    });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  }
}

interface Reached {
  readonly settings: RegistrySettings;
  readonly packuments: PackumentCache;
  readonly signal: AbortSignal;
}

function npmOptions(
  options: RegistrySessionOptions,
  { settings, packuments, signal }: Reached,
): NpmOptions {
  const { cacheDirectory, offline, asksAgain, networkTimeoutMs = NETWORK_TIMEOUT_MS } = options;
  return {
    ...settings.options,
    cache: join(cacheDirectory, "npm"),
    packumentCache: packuments,
    ...(settings.agent === undefined ? {} : { agent: settings.agent }),
    offline,
    preferOnline: asksAgain === true,
    // Publishing times are in it, and one answer serves all that npm's code asks.
    fullMetadata: true,
    signal,
    timeout: Math.min(IDLE_TIMEOUT_MS, networkTimeoutMs),
    fetchRetries: 1,
    fetchRetryMintimeout: 500,
    fetchRetryMaxtimeout: 2000,
    // A package runs nothing when it is installed, and everything comes from a registry.
    ignoreScripts: true,
    allowGit: "none",
    allowRemote: "none",
    allowFile: "none",
    allowDirectory: "none",
    git: false,
    binLinks: false,
    audit: false,
    fund: false,
  };
}

/** Returns the names that npm may know a package by: one of JSR may be named as JSR does. */
function exemptNames(name: string): string[] {
  return name.startsWith("@") ? [name, `@jsr/${name.slice(1).replace("/", "__")}`] : [name];
}
