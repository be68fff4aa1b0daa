import { argumentsText, type JsonObject, objectOf, picked, without } from "./members.ts";
import type { EventReader, Reading, StreamRules } from "./stream_rules.ts";

/**
 * The members of each block that a turn is made of. Others belong to tools of the provider, which
 * are not asked for.
 */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["thinking"],
  redacted_thinking: ["data"],
  tool_use: ["id", "name", "input"],
};

/** The member of each delta that holds a piece of a block. */
const DELTAS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
  input_json_delta: "partial_json",
};

/** The rules of Anthropic's Messages. */
export const anthropicEvents: StreamRules = {
  api: "Anthropic's Messages",
  open: () => new AnthropicEvents(),
};

class AnthropicEvents implements EventReader {
  readonly closing = [{ type: "message_stop" }];
  /** The indexes of blocks of other types. */
  readonly #skipped = new Set<unknown>();

  read(event: JsonObject): Reading | undefined {
    const { type, index } = event;
    switch (type) {
      case "message_start":
        return { event: { type, message: startOf(event.message) } };
      case "content_block_start":
        return this.#start(event);
      case "content_block_delta":
        return this.#delta(event);
      case "content_block_stop":
        return this.#skipped.has(index) ? undefined : { event: { type, index } };
      case "message_delta":
        return endOf(event);
      case "message_stop":
        return { event: { type }, ends: "stream" };
      default:
        return undefined;
    }
  }

  #start({ type, index, content_block }: JsonObject): Reading | undefined {
    const block = objectOf(content_block);
    if (typeof block?.type !== "string") return { event: { type, index, content_block } };
    const members = BLOCKS[block.type];
    if (members === undefined) this.#skipped.add(index);
    else this.#skipped.delete(index);
    if (members === undefined) return undefined;
    return { event: { type, index, content_block: picked(block, ["type", ...members]) } };
  }

  #delta({ type, index, delta: told }: JsonObject): Reading | undefined {
    if (this.#skipped.has(index)) return undefined;
    const delta = objectOf(told);
    if (typeof delta?.type !== "string") return { event: { type, index, delta: told } };
    const member = DELTAS[delta.type];
    if (member === undefined) return undefined;
    const content = argumentsText(delta[member]);
    return { event: { type, index, delta: { type: delta.type, [member]: content } } };
  }
}

function startOf(told: unknown): unknown {
  const message = objectOf(told);
  if (message === undefined) return told;
  return picked(message, ["id", "model", "role", "usage"]);
}

function endOf({ type, delta: told, usage }: JsonObject): Reading {
  const delta = objectOf(told);
  const ends = delta?.stop_reason ? "turn" : undefined;
  return {
    event: {
      type,
      delta: delta === undefined ? told : picked(delta, ["stop_reason", "stop_sequence"]),
      // The provider's own passes are parts of the whole.
      usage: without(objectOf(usage) ?? {}, ["iterations"]),
    },
    ends,
  };
}
