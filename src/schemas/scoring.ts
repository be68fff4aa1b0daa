import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/** A judge's verdict on one step. */
export interface Scoring {
  /** A score that is not a finite number is an error of the run. */
  score: number;
  /** Values are recorded as text; anything else is converted to JSON text. */
  metadata: Record<string, string>;
  /** False ends the run after this step with status `failed`. */
  continue_task: boolean;
}

export const scoringSchema: z.ZodType<Scoring> = schemaOf<Scoring>()(z.object({
  score: z.number(),
  metadata: z.record(z.string(), z.string()),
  continue_task: z.boolean(),
}));
