import type {
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
} from "@ai-sdk/provider";
import { wellFormed } from "../base/well_formed.ts";
import type { Message, ToolCall } from "../schemas/message.ts";
import { textOf, textPart } from "./message_content.ts";
import type { PromptRules } from "./provider.ts";
import { placeOf, type ReasoningRecord } from "./reasoning_records.ts";
import type { Renaming } from "./renaming.ts";

/** A part of an assistant's message. */
export type AssistantPart =
  | LanguageModelV3TextPart
  | LanguageModelV3ReasoningPart
  | LanguageModelV3ToolCallPart;

/** How a conversation is sent. */
export interface PromptOptions {
  readonly rules: PromptRules;
  /** Kept for the answer, whose calls name them. */
  readonly toolNames: Renaming;
}

/** The same within one conversation. */
export interface MessageOptions extends PromptOptions {
  readonly callIds: Renaming;
}

/** What stands for a name that a model forgot. */
const NAMELESS = "unnamed_tool";

/** The name that a call's tool is sent under. */
export function sentToolName(call: ToolCall, toolNames: Renaming): string {
  return toolNames.sent(call.function.name || NAMELESS);
}

/**
 * What an assistant's message says, in the order that it was said. Nothing if it has neither text
 * nor calls: reasoning alone is refused.
 */
export function assistantParts(
  message: Message,
  options: MessageOptions,
): AssistantPart[] {
  const text = textOf(message.content);
  const calls = message.tool_calls ?? [];
  if (text.trim() === "" && calls.length === 0) return [];
  const parts: AssistantPart[] = [];
  let place = { text: 0, calls: 0 };
  const advanceTo = (next: typeof place) => {
    const said = text.slice(place.text, next.text);
    if (said.trim() !== "") parts.push(signed(textPart(said), message, null));
    for (const call of calls.slice(place.calls, next.calls)) {
      parts.push(signed(callPart(call, options), message, call.id));
    }
    place = next;
  };
  for (const { record, part } of reasoningParts(message, options.rules)) {
    advanceTo(placeOf(record));
    parts.push(part);
  }
  advanceTo({ text: text.length, calls: calls.length });
  // Reasoning must lead to something.
  while (parts.at(-1)?.type === "reasoning") parts.pop();
  return parts;
}

function reasoningParts(
  message: Message,
  { reasoning }: PromptRules,
): { record: ReasoningRecord; part: LanguageModelV3ReasoningPart }[] {
  if (reasoning === "thinking_blocks") {
    return (message.thinking_blocks ?? []).map((record) => ({ record, part: thinking(record) }));
  }
  if (reasoning === "reasoning_items") {
    return (message.reasoning_items ?? []).flatMap((record) =>
      summaries(record).map((part) => ({ record, part }))
    );
  }
  const text = message.reasoning_content ?? "";
  if (reasoning !== "reasoning_content" || text === "") return [];
  return [{ record: {}, part: { type: "reasoning", text } }];
}

function thinking(record: ReasoningRecord): LanguageModelV3ReasoningPart {
  const anthropic = record.type === "redacted_thinking"
    ? { redactedData: String(record.data ?? "") }
    : { signature: String(record.signature ?? "") };
  return {
    type: "reasoning",
    text: String(record.thinking ?? ""),
    providerOptions: { anthropic },
  };
}

/** A part for each part of the summary, one without text if there is none. */
function summaries(record: ReasoningRecord): LanguageModelV3ReasoningPart[] {
  if (record.type !== "reasoning") return [];
  const summary = Array.isArray(record.summary) ? record.summary : [];
  const texts = summary.map((part) => String(part?.text ?? ""));
  const openai = {
    itemId: String(record.id ?? ""),
    reasoningEncryptedContent: typeof record.encrypted_content === "string"
      ? record.encrypted_content
      : null,
  };
  return (texts.length === 0 ? [""] : texts).map((text) => ({
    type: "reasoning",
    text,
    providerOptions: { openai },
  }));
}

/** Gemini wants its signatures back where they were. */
function signed<Part extends AssistantPart>(
  part: Part,
  message: Message,
  callId: string | null,
): Part {
  const record = message.reasoning_items?.findLast((item) =>
    item.type === "thought_signature" && item.tool_call_id === callId
  );
  if (record === undefined) return part;
  const thoughtSignature = String(record.signature ?? "");
  return { ...part, providerOptions: { google: { thoughtSignature } } };
}

function callPart(
  call: ToolCall,
  { rules, toolNames, callIds }: MessageOptions,
): LanguageModelV3ToolCallPart {
  return {
    type: "tool-call",
    toolCallId: callIds.sent(call.id),
    toolName: sentToolName(call, toolNames),
    input: argumentsOf(call.function.arguments, rules),
  };
}

/** Always an object, or its text: a provider refuses a history with anything else. */
function argumentsOf(text: string, { argumentsAsText }: PromptRules): unknown {
  const value = objectIn(text);
  // Packages take a text with these words for an attack, and would encode it once more.
  const isPlain = !/__proto__|constructor/.test(text);
  return argumentsAsText && isPlain && value.isAsWritten ? text : value.object;
}

function objectIn(text: string): { object: Record<string, unknown>; isAsWritten: boolean } {
  if (text.trim() === "") return { object: {}, isAsWritten: false };
  try {
    const written: unknown = JSON.parse(text);
    // Half a surrogate pair may be written as an escape.
    const value = wellFormed(written);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      // It is an object, as was just seen.
      return { object: value as Record<string, unknown>, isAsWritten: value === written };
    }
    return { object: { value }, isAsWritten: false };
  } catch {
    return { object: { text }, isAsWritten: false };
  }
}
