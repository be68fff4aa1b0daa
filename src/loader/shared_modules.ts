import { VERSION } from "../base/version.ts";

/** A module of the running program that bundles get instead of a copy of their own. */
export interface SharedModule {
  /** Its key in what `publishSdk` puts on `globalThis`. */
  readonly key: string;
  readonly version: string;
  /** What it exports. */
  readonly names: readonly string[];
}

export interface SharedModules {
  readonly sdk: SharedModule;
  readonly zod: SharedModule;
}

/**
 * Reads names and versions off the live modules, so that a wrong name is an error at build time.
 */
export async function sharedModules(): Promise<SharedModules> {
  const [sdk, zod] = await Promise.all([import("../sdk/mod.ts"), import("zod")]);
  const { major, minor, patch } = zod.core.version;
  return {
    sdk: { key: "/sdk", version: VERSION, names: Object.keys(sdk) },
    zod: { key: "zod", version: `${major}.${minor}.${patch}`, names: Object.keys(zod) },
  };
}

/** The source of a module that hands on what the running program published. */
export function sharedModuleSource({ key, names }: SharedModule): string {
  // Zod exports names that are no identifiers, like `catch`.
  const lines = names.map((name, index) =>
    `const v${index} = m[${JSON.stringify(name)}]; export { v${index} as ${name} };`
  );
  return [
    `const m = globalThis[Symbol.for("karotte.sdk")]?.[${JSON.stringify(key)}];`,
    'if (m === undefined) throw new Error("This module can only be loaded by Karotte");',
    ...lines,
  ].join("\n");
}
