import { type Message, message, type ToolCall } from "../schemas/message.ts";
import type { ResourceMetrics } from "../schemas/resource_metrics.ts";
import type { ToolContent, ToolResult } from "../schemas/tool_result.ts";
import type { NewEvent } from "../schemas/transcript.ts";

/** The event of a message that joins the conversation. */
export function messageAdded(
  added: Message,
  finishReason: string | null = null,
): NewEvent {
  return { type: "message_added", message: added, finish_reason: finishReason, raw: null };
}

/** The tool message for a result: only its first block, as every provider understands it. */
export function toolMessage(call: ToolCall, result: ToolResult): Message {
  const [block] = result.content;
  return message({
    role: "tool",
    tool_call_id: call.id,
    content: block === undefined ? [] : [
      block.type === "text" ? { type: "text", text: block.text } : {
        type: "image_url",
        image_url: { url: `data:${block.mimeType};base64,${block.data}` },
      },
    ],
  });
}

/** The result as events record it: an image's bytes are in the tool message, once. */
export function recordedResult(result: ToolResult): ToolResult {
  return { ...result, content: result.content.map(withoutImageBytes) };
}

export function textBlock(text: string): ToolContent {
  return { type: "text", text, annotations: null, meta: null };
}

function withoutImageBytes(block: ToolContent): ToolContent {
  return block.type === "image" ? { ...block, data: "" } : block;
}

/** Appends a note to a message's content, as an extra part or after a blank line. */
export function withNote(to: Message, note: string): Message {
  if (Array.isArray(to.content)) {
    return { ...to, content: [...to.content, { type: "text", text: note }] };
  }
  return { ...to, content: to.content === null ? note : `${to.content}\n\n${note}` };
}

/** Returns a result that also tells what its call used; null: nobody can tell. */
export function withMetrics(result: ToolResult, metrics: ResourceMetrics | null): ToolResult {
  const structuredContent = { ...result.structuredContent, _karotte_resource_metrics: metrics };
  return { ...result, structuredContent };
}
