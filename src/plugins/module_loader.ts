import { dirname } from "node:path";
import type { LoadedModule, LoadModuleOptions } from "../loader/load_module.ts";
import type { ModuleTarget } from "../loader/module_target.ts";
import { refuseExit } from "./exit_guard.ts";
import { expectFaultsOf } from "./plugin_faults.ts";

/** A module, and who names it. */
export interface ModuleSource {
  readonly target: ModuleTarget;
  /** Path of the manifest that names it, or the flag. */
  readonly manifest: string;
  /** Folder of the manifest. */
  readonly baseDirectory: string;
  /** Undefined: nothing pins its packages. */
  readonly lockFile: string | undefined;
  /** The `.npmrc` of that folder is as good as the user's own. */
  readonly trustsNpmrc: boolean;
  /** Digest of the content that the user said yes to; undefined: whatever is there. */
  readonly approved: string | undefined;
}

/** Returns the folder of a local module; undefined: a package. */
export function directoryOf({ target }: ModuleSource): string | undefined {
  return target.kind === "file" ? dirname(target.path) : undefined;
}

export interface ModuleLoaderOptions {
  readonly cacheDirectory: string;
  readonly offline: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The real ones, except in tests. */
  readonly load?: typeof import("../loader/load_module.ts").loadModule | undefined;
  readonly digest?: typeof import("../loader/load_module.ts").moduleDigest | undefined;
}

/** Loads modules of plugins, each once. */
export class ModuleLoader {
  readonly cacheDirectory: string;
  /**
   * Names of packages that may be young; a module that failed before they were set is tried again.
   */
  ageDelayExemptions: readonly string[] = [];
  readonly #options: ModuleLoaderOptions;
  readonly #loaded = new Map<string, Promise<LoadedModule>>();

  constructor(options: ModuleLoaderOptions) {
    this.cacheDirectory = options.cacheDirectory;
    this.#options = options;
  }

  /** Rejects with the error to show. */
  load(source: ModuleSource): Promise<LoadedModule> {
    const key = [source.target.key, source.lockFile, ...this.ageDelayExemptions].join("\0");
    const known = this.#loaded.get(key);
    if (known !== undefined) return known;
    const loading = this.#load(source);
    this.#loaded.set(key, loading);
    return loading;
  }

  /** Returns the digest of a module as it is now; undefined: not known without loading it. */
  async digest(source: ModuleSource): Promise<string | undefined> {
    const digest = this.#options.digest ??
      (await import("../loader/load_module.ts")).moduleDigest;
    try {
      return await digest(source.target, this.#loadOptions(source));
    } catch {
      // What is wrong with it shows when it is loaded.
      return undefined;
    }
  }

  /**
   * Returns the text of a module with all that it imports; undefined: it was not bundled as it is
   * now.
   */
  async bundledText(source: ModuleSource): Promise<string | undefined> {
    const { bundledText } = await import("../loader/load_module.ts");
    try {
      return await bundledText(source.target, this.#loadOptions(source));
    } catch {
      // What is wrong with it shows when it is loaded.
      return undefined;
    }
  }

  async #load(source: ModuleSource): Promise<LoadedModule> {
    expectFaultsOf({
      name: source.target.written,
      directory: directoryOf(source),
      cacheDirectory: this.cacheDirectory,
    });
    const load = this.#options.load ?? await guardedLoad();
    return await load(source.target, this.#loadOptions(source));
  }

  #loadOptions(source: ModuleSource): LoadModuleOptions {
    const { baseDirectory, lockFile, trustsNpmrc, approved } = source;
    const { cacheDirectory, offline, signal } = this.#options;
    const { ageDelayExemptions } = this;
    return {
      baseDirectory,
      cacheDirectory,
      lockFile,
      offline,
      trustsNpmrc,
      approved,
      ageDelayExemptions,
      ...(signal === undefined ? {} : { signal }),
    };
  }
}

async function guardedLoad() {
  const { loadModule } = await import("../loader/load_module.ts");
  refuseExit();
  return loadModule;
}
