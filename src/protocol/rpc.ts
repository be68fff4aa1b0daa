import { z } from "zod";
import { runConfigSchema } from "../schemas/run_config.ts";
import { sandboxMemorySchema } from "../schemas/student_limits.ts";
import { eventSchema } from "../schemas/transcript.ts";
import { guardSchema } from "./guards.ts";
import { MOST_EXTENTS } from "./artifact_limits.ts";
import { failureKindSchema } from "./model_failure.ts";
import { toolSchemaSchema } from "./tool_schema.ts";
import { judgeAnswerSchema, judgeQuestionSchema, turnSchema } from "./turn.ts";

/**
 * The messages between host and harness. The host sends the requests `start` and `ping`, the
 * notification `stop`, and the files of a bundle as blobs. The harness sends the requests `event`,
 * `model.next`, `model.judge` and `finish`, the notifications `activity` and `tools`, and the files
 * of artifacts as blobs.
 */

/**
 * The first request, with all that the harness is told of a run. Both ends must have one version.
 */
export const startParamsSchema = z.object({
  version: z.string(),
  /** The run config without keys. */
  config: runConfigSchema,
  /** Variables for the student's processes, and for root's those that are withheld. */
  variables: z.record(z.string(), z.string()),
  /** Names of variables that no process of the student may see. */
  withheld: z.array(z.string()),
  /** The bundle that replaces the sandbox's own and comes as blobs right after the answer. */
  bundle: z.object({
    /** The SHA-256 in hex of the text that `treeText` makes of its files. */
    digest: z.string(),
    files: z.number().int().positive(),
  }).optional(),
  /** Set the task up, run no step, and hold until `stop`. */
  prepare_only: z.boolean().optional(),
  /** The level that the model is asked for: one of its own, not `min` or `max`. */
  reasoning_effort: z.string().nullable(),
  /** The memory of the sandbox; absent: the sandbox itself knows it best. */
  sandbox_memory: sandboxMemorySchema.optional(),
  /** Guards that the harness does without, for tests only; absent: none. */
  guards_off: z.array(guardSchema).optional(),
});

export const startResultSchema = z.object({ version: z.string() });

/** Ends the run now: the harness kills the student and finishes with an error event. */
export const stopParamsSchema = z.object({ reason: z.string() });

/** Records an event; the answer comes once it is on the host's disk. `seq` counts from 0. */
export const eventParamsSchema = z.object({
  seq: z.number().int().nonnegative(),
  event: eventSchema,
});

/** Says what the harness does from now on: it is shown, and named if it never comes back. */
export const activityParamsSchema = z.object({
  name: z.string().max(500),
  kind: z.enum(["setup", "turn", "tool", "scoring", "hook", "artifact", "prepared"]),
});

/** The tools that the student's model is told of. */
export const toolsParamsSchema = z.object({ tools: z.array(toolSchemaSchema).max(1_000) });

/** Asks for the student's next turn, of the conversation that the host recorded. */
export const nextTurnParamsSchema = z.object({
  role: z.literal("student"),
  /** The number of events sent so far: the host must have just these. */
  seq: z.number().int().nonnegative(),
  /** Milliseconds that are left of the step's time; null = no limit. */
  remaining_ms: z.number().nullable(),
});

/** Asks a model for a judge. */
export const judgeParamsSchema = z.object({
  role: z.literal("judge"),
  question: judgeQuestionSchema,
});

/** The reason why there is no answer. */
const failureSchema = z.object({
  name: z.string(),
  message: z.string(),
  /** Null: it was no model that failed. */
  kind: failureKindSchema.nullable(),
});

export const nextTurnResultSchema = z.union([
  z.object({ turn: turnSchema }),
  z.object({ failure: failureSchema }),
]);

export const judgeResultSchema = z.union([
  z.object({ answer: judgeAnswerSchema }),
  z.object({ failure: failureSchema }),
]);

/** The last message; the harness leaves after its answer. */
export const finishParamsSchema = z.object({
  /** The number of events sent in all. */
  events: z.number().int().nonnegative(),
});

/** The names on the way from a folder to a file of it. */
const namesSchema = z.array(z.string().min(1).max(255)).min(1).max(1024).readonly();

/** A blob of the host: one file of the announced bundle. */
export const bundleBlobSchema = z.object({
  bundle: z.object({ path: namesSchema, executable: z.boolean() }),
});

const bytesSchema = z.number().int().nonnegative();

/** The size of a sparse file, and where its data is: offset and length in bytes. */
const sparseSchema = z.object({
  size: bytesSchema,
  extents: z.array(z.tuple([bytesSchema, bytesSchema.positive()]).readonly())
    .max(MOST_EXTENTS + 1).readonly(),
}).refine(
  ({ size, extents }) =>
    extents.every(([start, length], index) => {
      const before = extents[index - 1] ?? [0, 0];
      return start >= before[0] + before[1] && start + length <= size;
    }),
  "expected stretches in order, within the size",
);

/** A blob of the harness: one regular file of an artifact, which is that file or a folder. */
export const artifactBlobSchema = z.object({
  artifact: z.object({
    /** The number of the artifact among those of the run, from 0. */
    number: z.number().int().nonnegative(),
    /** The names on the way to the file, from the artifact's own name on. */
    path: namesSchema,
    executable: z.boolean(),
    /** For a sparse file: the blob is its stretches of data, in order; the rest is zeros. */
    sparse: sparseSchema.optional(),
  }),
});

export type StartParams = z.infer<typeof startParamsSchema>;
export type BundleAnnouncement = NonNullable<StartParams["bundle"]>;
export type CallFailure = z.infer<typeof failureSchema>;
export type Activity = z.infer<typeof activityParamsSchema>;
export type ArtifactFile = z.infer<typeof artifactBlobSchema>["artifact"];
export type SparseLayout = z.infer<typeof sparseSchema>;
