import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/**
 * Processor and memory use of the whole sandbox in a step, from its start to its verdict, or in a
 * tool call. All processors busy all the time are 100 %; a MB is 1024 * 1024 bytes.
 */
export interface ResourceMetrics {
  /** The measurements, in the order of their times. */
  samples: ResourceSample[];
  /** The highest of the samples, in percent of all processors. */
  peak_cpu_percent: number;
  /** The mean of the samples, in percent of all processors. */
  avg_cpu_percent: number;
  /** The highest of the samples, in MB. */
  peak_memory_mb: number;
  /** The mean of the samples, in MB. */
  avg_memory_mb: number;
  /** The sandbox's limit of memory in bytes; null: none; absent: nobody told. */
  memory_limit_bytes?: number | null | undefined;
  /**
   * The processes that the kernel killed since the limit of memory was reached, in the time since
   * the step before; null or absent: nobody can tell.
   */
  memory_limit_kills?: number | null | undefined;
}

/** A measurement. */
export interface ResourceSample {
  /** The time of the measurement, in milliseconds. */
  timestamp_ms: number;
  /** Percent of all processors. */
  cpu_percent: number;
  /** Memory in use, in MB. */
  memory_mb: number;
}

export const resourceMetricsSchema: z.ZodType<ResourceMetrics> = schemaOf<ResourceMetrics>()(
  z.object({
    samples: z.array(z.object({
      timestamp_ms: z.number().int(),
      cpu_percent: z.number(),
      memory_mb: z.number(),
    })),
    peak_cpu_percent: z.number(),
    avg_cpu_percent: z.number(),
    peak_memory_mb: z.number(),
    avg_memory_mb: z.number(),
    memory_limit_bytes: z.number().int().nullable().optional(),
    memory_limit_kills: z.number().int().nullable().optional(),
  }),
);
