import * as zod from "zod";
import * as sdk from "./mod.ts";

/**
 * Where bundles find the running program's own sdk and zod. The bundler answers every import of
 * them with names of these modules, so there is one instance everywhere and `instanceof` holds.
 */
const PUBLISHED = Symbol.for("karotte.sdk");

export interface PublishedModules {
  readonly "/sdk": typeof sdk;
  readonly zod: typeof zod;
}

/** Makes the sdk importable by bundles; must run before the first one is imported. */
export function publishSdk(): PublishedModules {
  const modules = Object.freeze({ "/sdk": sdk, zod });
  Object.defineProperty(globalThis, PUBLISHED, { value: modules, configurable: true });
  return modules;
}
