import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/** The sandbox keeps this much for the harness: the student gets what is left. */
export const HARNESS_MEMORY_BYTES = 1024 ** 3;

/** What a kind of hardware allows a sandbox. Absent or null: unknown; no passthrough. */
export interface HardwareLimits {
  /** Memory of the whole sandbox; more than the harness keeps for itself, which is 1 GiB. */
  memory_bytes?: number | null | undefined;
  /** Disk of the whole sandbox. */
  disk_bytes?: number | null | undefined;
  /** Processors; a fraction is a share of one. */
  cpus?: number | null | undefined;
  /** Devices are handed through: docker by default, refused by VM runtimes and bubblewrap. */
  passthrough?: boolean | undefined;
}

/** With every field. */
export type CompleteHardwareLimits = {
  [Field in keyof HardwareLimits]-?: Exclude<HardwareLimits[Field], undefined>;
};

export const hardwareLimitsSchema: z.ZodType<CompleteHardwareLimits, HardwareLimits> = schemaOf<
  CompleteHardwareLimits,
  HardwareLimits
>()(z.strictObject({
  memory_bytes: z.int().gt(HARNESS_MEMORY_BYTES, "expected more than 1 GiB (1073741824 bytes)")
    .nullable().default(null),
  disk_bytes: z.int().positive("expected a positive integer").nullable().default(null),
  cpus: z.number().positive("expected a positive number").nullable().default(null),
  passthrough: z.boolean().default(false),
}));
