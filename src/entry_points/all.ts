import type { EntryPoint, EntryPointGroup } from "./entry_point.ts";
import * as entryPoints from "./mod.ts";

/** Groups that the sdk declares a value for, and that no entry point of `mod.ts` has. */
type Missing = Exclude<EntryPointGroup, (typeof entryPoints)[keyof typeof entryPoints]["group"]>;

/** Lists every entry point, for whoever treats them all alike. */
export const ALL_ENTRY_POINTS: Missing extends never ? readonly EntryPoint<unknown, unknown>[]
  : Missing = Object.values(entryPoints);
