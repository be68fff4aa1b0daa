import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/** Processor and memory use of a step; a processor that is busy all the time is 100 %. */
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
  }),
);
