import type { ModuleBundle } from "./module_cache.ts";
import type { PackageSet } from "./packages/package_set.ts";
import type { RegistrySessionOptions } from "./packages/registry_session.ts";

/** A module that is ready to be imported. */
export interface FoundModule extends ModuleBundle {
  /** Of the package it came from; null for a file. */
  readonly version: string | null;
  /** The packages that it was made of; undefined: none. */
  readonly set: PackageSet | undefined;
}

export interface FindModuleOptions extends RegistrySessionOptions {
  readonly lockFile: string | undefined;
}

/** Both ways to get at a module. */
export interface ModuleFinder {
  /** Looks into the cache only; undefined: it is not there, or something has changed since. */
  known(): Promise<FoundModule | undefined>;
  /** Bundles the module unless it is known. */
  bundled(): Promise<FoundModule>;
}
