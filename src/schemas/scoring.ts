import { z } from "zod";

/** A judge's verdict on one step. A score that is not a finite number is an error of the run. */
export const scoringSchema = z.object({
  score: z.number(),
  /** Values are recorded as text; anything else is converted to JSON text. */
  metadata: z.record(z.string(), z.string()),
  /** False ends the run after this step with status `failed`. */
  continue_task: z.boolean(),
});

export type Scoring = z.infer<typeof scoringSchema>;
