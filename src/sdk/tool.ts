import { z } from "zod";
import type { ProtectedStore } from "./protected_store.ts";
import type { Student } from "./student.ts";

/** What a tool call is given besides its arguments. */
export interface ToolContext<Config = unknown> {
  /** Aborted when the run or the call is over. */
  readonly signal: AbortSignal;
  /** The account under test. */
  readonly student: Student;
  /** Files of the run that the student can't reach. */
  readonly store: ProtectedStore;
  /** The variables of the image and those of `--env`, as hooks get them: `RunContext.variables`. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Records answers of the student's, for judges (`transcript.answers`) and the transcript; a later
   * one of the same name wins. Throws a `TypeError` for a value that is not text.
   */
  submitAnswers(answers: Readonly<Record<string, string>>): Promise<void>;
  /** The task's configuration of this tool, checked by the tool's `config` schema. */
  readonly config: Config;
}

/** An image in a tool's output: the bytes as they are. */
export interface ImageOutput {
  /** The file's bytes, not base64. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** For example `image/png`; where the bytes say otherwise, they count. */
  readonly mimeType: string;
}

/**
 * What a tool may return: text; an image; or a JSON object, which the model sees as compact JSON
 * text. A thrown error becomes an error result that the model sees, and the run goes on.
 */
export type ToolOutput = string | ImageOutput | { readonly [key: string]: unknown };

/** What `defineTool` takes. */
export interface ToolDefinition<
  Input extends z.ZodType<Record<string, unknown>> = z.ZodType<Record<string, unknown>>,
  Config extends z.ZodType = z.ZodType,
> {
  /** What the model reads to decide when to call it. */
  readonly description: string;
  /** A zod object, or JSON Schema of an object (then arguments are passed on unchecked). */
  readonly input: Input | JsonSchema;
  /** Checks what a task's `configureTools` gives for this tool; its defaults apply without one. */
  readonly config?: Config;
  /** Runs a call with arguments that fit `input`; what it throws becomes an error result. */
  run(
    input: z.output<Input>,
    context: ToolContext<z.output<Config>>,
  ): ToolOutput | Promise<ToolOutput>;
}

/** JSON Schema (draft 7) of an object. */
export type JsonSchema = { readonly type: "object"; readonly [keyword: string]: unknown };

const TOOL = Symbol.for("karotte.tool");

/** A checked tool; the file it is the default export of gives it its name. */
export interface Tool {
  /** Marks what `defineTool` made, in any copy of this module. */
  readonly [TOOL]: true;
  /** The text by which the model decides when to call it. */
  readonly description: string;
  /** JSON Schema (draft 7) of the arguments, as models get it. */
  readonly inputSchema: JsonSchema;
  /** Checks the arguments of a call; throws an `Error` that tells the model what is wrong. */
  parseInput(input: unknown): Promise<Record<string, unknown>>;
  /** Checks a task's configuration and fills in defaults; throws an `Error` with the reason. */
  parseConfig(config: unknown): unknown;
  /** Runs a call with arguments that `parseInput` returned. */
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput>;
}

/**
 * Defines a tool that a task can offer to the student's model:
 *
 * ```ts
 * // src/environment/tools/count_words.ts
 * export default defineTool({
 *   description: "Counts the words of a file.",
 *   input: z.object({ path: z.string() }),
 *   async run({ path }, { student }) {
 *     const text = new TextDecoder().decode(await student.readFile(path));
 *     return { words: text.split(/\s+/).filter(Boolean).length };
 *   },
 * });
 * ```
 *
 * Throws a `TypeError` that says what is wrong with the definition.
 */
export function defineTool<
  Input extends z.ZodType<Record<string, unknown>>,
  Config extends z.ZodType = z.ZodUndefined,
>(definition: ToolDefinition<Input, Config>): Tool {
  if (typeof definition.description !== "string" || definition.description.trim() === "") {
    throw new TypeError("A tool needs a description: it is all that the model knows of it");
  }
  if (typeof definition.run !== "function") throw new TypeError("A tool needs a run function");
  const input = definition.input;
  const schema = isZod4(input) ? input : undefined;
  return {
    [TOOL]: true,
    description: definition.description,
    inputSchema: schema ? jsonSchemaOf(schema) : checkedJsonSchema(input),
    async parseInput(value) {
      if (!schema) return checkedObject(value);
      const parsed = await z.safeParseAsync(schema, value);
      if (!parsed.success) throw new Error(`Wrong arguments: ${z.prettifyError(parsed.error)}`);
      return parsed.data;
    },
    parseConfig(value) {
      if (!definition.config) {
        if (value === undefined) return undefined;
        throw new Error("this tool takes no configuration");
      }
      const parsed = z.safeParse(definition.config, value ?? {});
      if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
      return parsed.data;
    },
    // The cast is what parseInput and parseConfig establish.
    run: async (value, context) =>
      await definition.run(
        value as z.output<Input>,
        context as ToolContext<z.output<Config>>,
      ),
  };
}

/** Whether a value was made by `defineTool` of any copy of this module. */
export function isTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && TOOL in value;
}

/** Zod 4 of any copy; its `z.toJSONSchema` and parsing work by `_zod`, never by instanceof. */
function isZod4(value: unknown): value is z.ZodType<Record<string, unknown>> {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "throw",
    reused: "inline",
  });
  delete json.$schema;
  return checkedJsonSchema(json);
}

function checkedJsonSchema(value: unknown): JsonSchema {
  if (typeof value === "object" && value !== null) {
    if ("_def" in value) throw new TypeError("A tool's input is a zod 3 schema: use the sdk's `z`");
    if ((value as { type?: unknown }).type === "object") return value as JsonSchema;
  }
  throw new TypeError("A tool's input must be a zod object or JSON Schema with type object");
}

function checkedObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Error("Wrong arguments: expected a JSON object");
}
