import { argumentsText, type JsonObject, objectOf, picked } from "./members.ts";
import type { Reading, StreamRules } from "./stream_rules.ts";

/** The members of each event that is a piece of an item. */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  "response.output_text.delta": ["item_id", "delta"],
  "response.refusal.delta": ["item_id", "output_index", "content_index", "delta"],
  "response.refusal.done": ["item_id", "output_index", "content_index", "refusal"],
  "response.function_call_arguments.delta": ["item_id", "output_index", "delta"],
  "response.function_call_arguments.done": ["item_id", "output_index", "arguments"],
  "response.reasoning_summary_part.added": ["item_id", "summary_index"],
  "response.reasoning_summary_part.done": ["item_id", "summary_index"],
  "response.reasoning_summary_text.delta": ["item_id", "summary_index", "delta"],
};

/**
 * The members of each item that a turn is made of. Others belong to tools that are not asked for.
 */
const ITEMS: Readonly<Record<string, readonly string[]>> = {
  message: ["id"],
  reasoning: ["id", "encrypted_content"],
  function_call: ["id", "call_id", "name", "arguments", "status"],
};

const STATUSES: readonly unknown[] = ["in_progress", "completed", "incomplete"];

/** The rules of OpenAI's Responses. */
export const responsesEvents: StreamRules = {
  api: "OpenAI's Responses",
  open: () => ({ read }),
};

function read(event: JsonObject): Reading | undefined {
  const { type, output_index } = event;
  switch (type) {
    case "response.created":
      return { event: { type, response: responseOf(event, ["id", "created_at", "model"]) } };
    case "response.output_item.added":
    case "response.output_item.done": {
      const item = itemOf(event.item);
      return item === undefined ? undefined : { event: { type, output_index, item } };
    }
    case "response.completed":
    case "response.incomplete":
    case "response.failed": {
      const response = responseOf(event, ["error", "incomplete_details", "usage"]);
      return { event: { ...picked(event, ["sequence_number"]), type, response }, ends: "stream" };
    }
  }
  const members = PIECES[String(type)];
  if (members === undefined) return undefined;
  const piece = picked(event, members);
  if (!/function_call/.test(String(type))) return { event: { type, ...piece } };
  const texts = Object.entries(piece).map(([name, value]) => [name, argumentsText(value)]);
  return { event: { type, ...Object.fromEntries(texts) } };
}

function responseOf({ response: told }: JsonObject, members: readonly string[]): unknown {
  const response = objectOf(told);
  return response === undefined ? told : picked(response, [...members, "service_tier"]);
}

/** Returns the known members of an item; undefined for one of another kind. */
function itemOf(told: unknown): unknown {
  const item = objectOf(told);
  if (typeof item?.type !== "string") return told;
  const members = ITEMS[item.type];
  if (members === undefined) return undefined;
  const { status, arguments: given, ...known } = picked(item, ["type", ...members]);
  if (item.type !== "function_call") return known;
  const isKnown = STATUSES.includes(status);
  return {
    ...known,
    status: isKnown ? status : "completed",
    arguments: argumentsText(given),
  };
}
