import { messageOf } from "../base/errors.ts";
import { orAbort, within } from "../base/promises.ts";
import type { ToolCall } from "../schemas/message.ts";
import type { ToolResult } from "../schemas/tool_result.ts";
import type { ImageOutput, Tool, ToolContext, ToolOutput } from "../sdk/tool.ts";
import { textBlock } from "./messages.ts";
import { studentUntil } from "./student/student_until.ts";
import { cutText } from "./tools/text_limit.ts";
import { readWholeImage } from "./tools/whole_image.ts";

/** A tool of the run with its checked configuration. */
export interface ConfiguredTool {
  readonly tool: Tool;
  readonly config: unknown;
}

/** The run's part in a call. */
export interface CallContext extends Omit<ToolContext, "config"> {
  /** Ends the call but not the run; its reason is told. */
  readonly cut: AbortSignal;
}

/** Milliseconds that a call which was cut has to end what it started. */
const CUT_GRACE_MS = 5_000;

/**
 * Runs one call. Whatever goes wrong in it is an error result that the model sees; the run goes
 * on. A call that is cut is over when this returns, and the student does nothing more for it.
 * Throws only the signal's reason.
 */
export async function callTool(
  call: ToolCall,
  tools: ReadonlyMap<string, ConfiguredTool>,
  { cut, ...context }: CallContext,
): Promise<ToolResult> {
  const name = call.function.name ?? "";
  const configured = tools.get(name);
  if (!configured) {
    const names = [...tools.keys()].join(", ") || "none";
    return errorResult(`There is no tool "${name}". Tools: ${names}`);
  }
  if (cut.aborted) return errorResult(`The call was not made: ${messageOf(cut.reason)}`);
  const signal = AbortSignal.any([context.signal, cut]);
  const student = studentUntil(signal, context.student);
  let running: Promise<ToolOutput> | undefined;
  try {
    const input = await configured.tool.parseInput(JSON.parse(call.function.arguments || "{}"));
    const { config, tool } = configured;
    running = tool.run(input, { ...context, signal, student, config });
    return resultOf(await orAbort(running, signal));
  } catch (error) {
    context.signal.throwIfAborted();
    if (!cut.aborted) return errorResult(messageOf(error));
    const ended = (running ?? Promise.resolve()).then(() => {}, () => {});
    await orAbort(within(ended, CUT_GRACE_MS, undefined), context.signal);
    return errorResult(`The call was cut: ${messageOf(cut.reason)}`);
  }
}

/** What the model is told when the arguments it sent are not JSON. */
export function malformedArguments(call: ToolCall): ToolResult | undefined {
  if (call.function.arguments === "") return undefined;
  try {
    JSON.parse(call.function.arguments);
    return undefined;
  } catch (error) {
    const text = `The arguments of this call are not valid JSON: ${messageOf(error)}`;
    return { ...errorResult(text), structuredContent: { result: text } };
  }
}

/** What a model is shown of an error, which may quote the arguments that it sent. */
const MOST_ERROR_CHARS = 16_000;

function errorResult(text: string): ToolResult {
  const shown = text.length <= MOST_ERROR_CHARS ? text : `${cutText(text, MOST_ERROR_CHARS)}...`;
  return { meta: null, content: [textBlock(shown)], structuredContent: null, isError: true };
}

function resultOf(output: ToolOutput): ToolResult {
  if (typeof output === "string") {
    return { meta: null, content: [textBlock(output)], structuredContent: null, isError: false };
  }
  if (isImage(output)) {
    // A provider that refuses an image refuses each later turn too, so the bytes decide.
    const header = readWholeImage(output.image);
    if (header === undefined) {
      throw new Error("the tool returned an image that is no whole PNG, JPEG, GIF or WebP");
    }
    const data = output.image.toBase64();
    return {
      meta: null,
      content: [{
        type: "image",
        data,
        mimeType: header.mimeType,
        annotations: null,
        meta: null,
      }],
      structuredContent: null,
      isError: false,
    };
  }
  if (typeof output !== "object" || output === null || Array.isArray(output)) {
    throw new Error(`the tool returned ${String(output)}: expected text, an image or an object`);
  }
  const text = JSON.stringify(output);
  // Through JSON, so that what is recorded is what the model saw.
  const structuredContent = JSON.parse(text) as Record<string, unknown>;
  return { meta: null, content: [textBlock(text)], structuredContent, isError: false };
}

function isImage(output: ToolOutput): output is ImageOutput {
  return typeof output === "object" && output !== null &&
    (output as Partial<ImageOutput>).image instanceof Uint8Array &&
    typeof (output as Partial<ImageOutput>).mimeType === "string";
}
