import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";

/** A provider's own record of its reasoning, as messages keep it. */
export type ReasoningRecord = Record<string, unknown>;

/** What of its message a record comes after. */
export interface Place {
  /** UTF-16 units of the text. */
  readonly text: number;
  readonly calls: number;
}

/** A block of reasoning, whole, with what its provider told along with it. */
export interface ReasoningBlock {
  readonly text: string;
  readonly metadata: SharedV3ProviderMetadata;
  readonly place: Place;
}

/** The records of one turn. */
export class ReasoningRecords {
  readonly thinkingBlocks: ReasoningRecord[] = [];
  readonly reasoningItems: ReasoningRecord[] = [];

  /** A block without a signature or the like is no record: it can't be sent back. */
  add({ text, metadata, place }: ReasoningBlock): void {
    const { signature, redactedData, itemId, reasoningEncryptedContent } = fieldsOf(metadata);
    const after = afterOf(place);
    if (typeof redactedData === "string") {
      this.thinkingBlocks.push({ type: "redacted_thinking", data: redactedData, ...after });
    } else if (typeof signature === "string") {
      this.thinkingBlocks.push({ type: "thinking", thinking: text, signature, ...after });
    } else if (typeof itemId === "string") {
      const item = this.#item(itemId, place);
      if (text !== "") item.summary.push({ type: "summary_text", text });
      item.encrypted_content = reasoningEncryptedContent ?? item.encrypted_content;
    }
  }

  /** Gemini signs calls, and texts (`callId` is null). */
  addSignature(metadata: SharedV3ProviderMetadata | undefined, callId: string | null): void {
    const { thoughtSignature } = fieldsOf(metadata ?? {});
    if (typeof thoughtSignature !== "string") return;
    // Each piece of a text comes with it.
    if (this.reasoningItems.at(-1)?.signature === thoughtSignature && callId === null) return;
    this.reasoningItems.push({
      type: "thought_signature",
      tool_call_id: callId,
      signature: thoughtSignature,
    });
  }

  /** OpenAI's: parts of its summary are blocks of their own. */
  #item(id: string, place: Place): ReasoningRecord & { summary: unknown[] } {
    const known = this.reasoningItems.find((item) => item.id === id);
    // Items with an id are made below only.
    if (known !== undefined) return known as ReasoningRecord & { summary: unknown[] };
    const item = {
      type: "reasoning",
      id,
      summary: [],
      encrypted_content: null,
      ...afterOf(place),
    };
    this.reasoningItems.push(item);
    return item;
  }
}

/** Where in its message a record stood; at its beginning if it doesn't say. */
export function placeOf(record: ReasoningRecord): Place {
  // A transcript may hold anything here.
  const after = record.after as { text?: unknown; tool_calls?: unknown } | null | undefined;
  return { text: Number(after?.text ?? 0) || 0, calls: Number(after?.tool_calls ?? 0) || 0 };
}

/** Said only where it isn't the beginning, which it nearly always is. */
function afterOf({ text, calls }: Place): { after?: { text: number; tool_calls: number } } {
  return text === 0 && calls === 0 ? {} : { after: { text, tool_calls: calls } };
}

/** Packages file what they tell under the provider's name. */
function fieldsOf(metadata: SharedV3ProviderMetadata): Record<string, unknown> {
  return Object.assign({}, ...Object.values(metadata));
}
