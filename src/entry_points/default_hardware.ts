import { z } from "zod";
import { entryPoint } from "./entry_point.ts";
import { firstThatLoads } from "./merge.ts";

/**
 * The hardware of tasks that name none.
 *
 * ```ts
 * "karotte.default_hardware": { acme: "gpu-small" }
 * ```
 */
export const defaultHardware = entryPoint({
  group: "karotte.default_hardware",
  summary: "The hardware of tasks that name none.",
  check: z.string().min(1, "expected a text that is not empty"),
  merge: firstThatLoads,
});
