import type { EntryPoint } from "./entry_point.ts";
import * as entryPoints from "./mod.ts";

/** Every entry point, by group: for whoever treats them all alike. */
export const ALL_ENTRY_POINTS: readonly EntryPoint<unknown, unknown>[] = Object.values(entryPoints);
