import type {
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { messageOf } from "../base/errors.ts";
import type { ToolCall } from "../schemas/message.ts";
import type { Turn } from "../protocol/turn.ts";
import { repairArguments } from "./argument_repairs.ts";
import { BrokenStreamError } from "./broken_stream.ts";
import { finishReasonOf } from "./finish_reason.ts";
import type { ToolCallRepair } from "./model_spec.ts";
import { type Place, ReasoningRecords } from "./reasoning_records.ts";
import type { Renaming } from "./renaming.ts";
import { usageOf } from "./usage_of.ts";

export interface GatherOptions {
  readonly toolNames: Renaming;
  readonly repairs: readonly ToolCallRepair[];
  /** Ids of the conversation's calls so far: none of them is given again. */
  readonly usedCallIds: ReadonlySet<string>;
}

/**
 * The whole turn that a stream tells. Throws what an `error` part holds, and a `BrokenStreamError`
 * for a stream that is not whole (its cause says why it broke off); then the stream is cancelled.
 */
export async function gather(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  options: GatherOptions,
): Promise<Turn> {
  const turn = new TurnParts(options);
  let finish: Extract<LanguageModelV3StreamPart, { type: "finish" }> | undefined;
  for await (const part of whole(stream)) {
    if (part.type === "error") throw part.error;
    if (part.type === "finish") finish = part;
    else turn.add(part);
  }
  if (finish === undefined) throw new BrokenStreamError("the stream ended before the turn did");
  return {
    message: turn.message(),
    finish_reason: finishReasonOf(finish.finishReason),
    usage: usageOf(finish.usage, serviceTierOf(finish.providerMetadata, finish.usage.raw)),
  };
}

/** Packages throw programming errors at answers that they did not expect. */
async function* whole<Part>(stream: ReadableStream<Part>): AsyncGenerator<Part> {
  try {
    yield* stream;
  } catch (cause) {
    throw new BrokenStreamError(`the stream broke off: ${messageOf(cause)}`, { cause });
  }
}

interface OpenBlock {
  text: string;
  metadata: SharedV3ProviderMetadata;
  readonly place: Place;
}

/** Packages make a random id up where the provider gives none: it would differ in a replay. */
const MADE_UP_ID = /^[0-9A-Za-z]{16}$/;

/** What a turn consists of, part by part. */
class TurnParts {
  readonly #options: GatherOptions;
  readonly #records = new ReasoningRecords();
  readonly #calls: ToolCall[] = [];
  /** Of reasoning, by the ids that packages give them. */
  readonly #blocks = new Map<string, OpenBlock>();
  readonly #reasoning: string[] = [];
  #text = "";
  #textBlock: string | undefined;

  constructor(options: GatherOptions) {
    this.#options = options;
  }

  add(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case "text-start":
        this.#records.addSignature(part.providerMetadata, null);
        return this.#startText(part.id);
      case "text-delta":
        this.#text += part.delta;
        return this.#records.addSignature(part.providerMetadata, null);
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return this.#addReasoning(part);
      case "tool-call":
        // Tools of the provider's own are not asked for.
        return part.providerExecuted ? undefined : this.#addCall(part);
    }
  }

  message(): Turn["message"] {
    // A stream may end without closing its blocks.
    for (const id of [...this.#blocks.keys()]) this.#closeBlock(id);
    const { thinkingBlocks, reasoningItems } = this.#records;
    const reasoning = this.#reasoning.join("\n\n");
    return {
      role: "assistant",
      content: this.#text === "" ? null : this.#text,
      tool_calls: this.#calls.length === 0 ? null : this.#calls,
      reasoning_content: reasoning === "" ? null : reasoning,
      tool_call_id: null,
      ...(thinkingBlocks.length === 0 ? {} : { thinking_blocks: thinkingBlocks }),
      ...(reasoningItems.length === 0 ? {} : { reasoning_items: reasoningItems }),
    };
  }

  /** The texts of one block that goes on after an interruption are one text. */
  #startText(id: string): void {
    if (this.#textBlock !== undefined && this.#textBlock !== id && /\S$/.test(this.#text)) {
      this.#text += "\n\n";
    }
    this.#textBlock = id;
  }

  #addReasoning(
    part: Extract<LanguageModelV3StreamPart, { type: `reasoning-${string}` }>,
  ): void {
    const block = this.#blocks.get(part.id) ??
      { text: "", metadata: {}, place: { text: this.#text.length, calls: this.#calls.length } };
    this.#blocks.set(part.id, block);
    if (part.type === "reasoning-delta") block.text += part.delta;
    for (const [provider, fields] of Object.entries(part.providerMetadata ?? {})) {
      block.metadata[provider] = { ...block.metadata[provider], ...fields };
    }
    if (part.type === "reasoning-end") this.#closeBlock(part.id);
  }

  #closeBlock(id: string): void {
    const block = this.#blocks.get(id);
    if (block === undefined) return;
    this.#blocks.delete(id);
    this.#records.add(block);
    if (block.text !== "") this.#reasoning.push(block.text);
  }

  #addCall(part: LanguageModelV3ToolCall): void {
    const { toolNames, repairs } = this.#options;
    const id = this.#freeId(part.toolCallId);
    this.#records.addSignature(part.providerMetadata, id);
    this.#calls.push({
      id,
      function: {
        name: toolNames.original(part.toolName),
        arguments: repairArguments(part.input, repairs),
      },
      type: "function",
    });
  }

  /** The provider's id, or the next one like it that no call has; the same in each replay. */
  #freeId(told: string): string {
    const given = MADE_UP_ID.test(told) ? "" : told;
    const { usedCallIds } = this.#options;
    const isTaken = (id: string) =>
      id === "" || usedCallIds.has(id) || this.#calls.some((call) => call.id === id);
    let id = given;
    for (let number = usedCallIds.size + this.#calls.length + 1; isTaken(id); number++) {
      id = `${given || "call"}_${number}`;
    }
    return id;
  }
}

/** The tier that the provider billed; null if it doesn't say. */
function serviceTierOf(
  metadata: SharedV3ProviderMetadata | undefined,
  raw: Readonly<Record<string, unknown>> | undefined,
): string | null {
  const told = Object.values(metadata ?? {}).map(({ serviceTier }) => serviceTier);
  const tier = told.find((tier) => typeof tier === "string") ?? raw?.service_tier;
  return typeof tier === "string" ? tier : null;
}
