import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

/** What a tool call came to: MCP's call-tool result. */
export interface ToolResult {
  /** MCP has room for more here; Karotte keeps none of it. */
  meta: null;
  /** The model gets the first block only. */
  content: ToolContent[];
  /** The result as JSON, where the tool gave an object. */
  structuredContent: Record<string, unknown> | null;
  /** The model is told that the call failed. */
  isError: boolean;
}

/** A block of a tool's result. */
export type ToolContent = TextContent | ImageContent;

/** A block of text. */
export interface TextContent {
  /** Tells the kinds of blocks apart. */
  type: "text";
  /** The text itself. */
  text: string;
  /** MCP has room for more here; Karotte keeps none of it. */
  annotations: null;
  /** MCP has room for more here; Karotte keeps none of it. */
  meta: null;
}

/** A block that is an image. */
export interface ImageContent {
  /** Tells the kinds of blocks apart. */
  type: "image";
  /** Base64; empty in a recorded event, where the tool message holds the bytes. */
  data: string;
  /** For example `image/png`. */
  mimeType: string;
  /** MCP has room for more here; Karotte keeps none of it. */
  annotations: null;
  /** MCP has room for more here; Karotte keeps none of it. */
  meta: null;
}

const toolContentSchema = schemaOf<ToolContent>()(z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    annotations: z.null(),
    meta: z.null(),
  }),
  z.object({
    type: z.literal("image"),
    data: z.string(),
    mimeType: z.string(),
    annotations: z.null(),
    meta: z.null(),
  }),
]));

export const toolResultSchema: z.ZodType<ToolResult> = schemaOf<ToolResult>()(z.object({
  meta: z.null(),
  content: z.array(toolContentSchema),
  structuredContent: z.record(z.string(), z.unknown()).nullable(),
  isError: z.boolean(),
}));
