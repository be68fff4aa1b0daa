import { z } from "zod";
import { schemaOf } from "../schemas/schema_of.ts";

/** A tool as models are told of it. */
export interface ToolSchema {
  name: string;
  description: string;
  /** JSON Schema of its arguments: an object. */
  input_schema: Record<string, unknown>;
}

export const toolSchemaSchema: z.ZodType<ToolSchema> = schemaOf<ToolSchema>()(z.object({
  name: z.string().min(1).max(256),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
}));
