import type { ModuleBundle } from "./module_cache.ts";
import type { RegistrySessionOptions } from "./packages/registry_session.ts";

/** A module that is ready to be imported. */
export interface FoundModule extends ModuleBundle {
  /** Of the package it came from; null for a file. */
  readonly version: string | null;
}

export interface FindModuleOptions extends RegistrySessionOptions {
  /** What messages call the module. */
  readonly specifier: string;
  readonly lockFile: string | undefined;
}

/** Both ways to get at a module: `known` looks into the cache only. */
export interface ModuleFinder {
  known(): Promise<FoundModule | undefined>;
  bundled(): Promise<FoundModule>;
}
