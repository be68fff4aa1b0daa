import type { TrickRuntime } from "./range.ts";

/** Needs no image. */
export const BUBBLEWRAP: TrickRuntime = { name: "bubblewrap", variables: {} };
