import { argumentsText, type JsonObject, objectOf, picked } from "./members.ts";
import type { Reading, StreamRules } from "./stream_rules.ts";

const CHUNK = ["id", "created", "model", "usage"];
const DELTA = ["content", "refusal", "reasoning_content", "reasoning"];

/** The rules of OpenAI's Chat Completions, as most others speak it too. */
export const chatEvents: StreamRules = {
  api: "Chat Completions",
  open: () => ({ read: (event) => chunkOf(event, (choice) => choice) }),
};

/** The rules of Mistral's kind of it: no chunk without a choice, and content in parts. */
export const mistralEvents: StreamRules = {
  api: "Mistral's Chat Completions",
  open: () => ({ read: (event) => chunkOf(event, mistralChoice) }),
};

function chunkOf(
  event: JsonObject,
  fit: (choice: JsonObject) => JsonObject,
): Reading | undefined {
  const { choices, usage } = event;
  if (choices === undefined && objectOf(usage) === undefined) return undefined;
  const chunk = picked(event, CHUNK);
  if (choices !== undefined && !Array.isArray(choices)) return { event: { ...chunk, choices } };
  const [first] = choices ?? [];
  const choice = first === undefined ? undefined : objectOf(first);
  if (first !== undefined && choice === undefined) return { event: { ...chunk, choices } };
  const finish = choice?.finish_reason;
  // Some say "" where there is none yet.
  const known = { delta: deltaOf(choice?.delta), finish_reason: finish === "" ? null : finish };
  const told = choice === undefined ? [] : [known];
  return {
    event: { ...chunk, choices: told.length === 0 ? emptyChoices(fit) : told.map(fit) },
    ends: finish ? "turn" : undefined,
  };
}

/** Returns the choices of a chunk that has none, in the form that the package takes. */
function emptyChoices(fit: (choice: JsonObject) => JsonObject): JsonObject[] {
  return fit === mistralChoice ? [mistralChoice({ finish_reason: null })] : [];
}

function deltaOf(told: unknown): unknown {
  const delta = objectOf(told);
  if (delta === undefined) return told ?? undefined;
  const { tool_calls: calls } = delta;
  return {
    ...picked(delta, DELTA),
    ...(calls === undefined || calls === null
      ? {}
      : { tool_calls: Array.isArray(calls) ? calls.filter(isFunction).map(callOf) : calls }),
  };
}

/** Tells a call of a function; one of another kind has nothing that could be called here. */
function isFunction(told: unknown): boolean {
  const { type = "function", function: called } = objectOf(told) ?? {};
  return type === "function" || called !== undefined;
}

function callOf(told: unknown): unknown {
  const call = objectOf(told);
  const called = objectOf(call?.function);
  if (call === undefined || called === undefined) return told;
  const { name, arguments: given } = called;
  const google = objectOf(objectOf(call.extra_content)?.google);
  const signature = google?.thought_signature;
  return {
    ...picked(call, ["index", "id"]),
    function: { name, arguments: argumentsText(given) },
    ...(typeof signature === "string"
      ? { extra_content: { google: { thought_signature: signature } } }
      : {}),
  };
}

function mistralChoice({ delta: told, finish_reason = null }: JsonObject): JsonObject {
  const delta = objectOf(told ?? {});
  if (delta === undefined) return { delta: told, finish_reason, index: 0 };
  const { content } = delta;
  const parts = Array.isArray(content) ? { content: content.flatMap(mistralPart) } : {};
  return { delta: { ...delta, ...parts }, finish_reason, index: 0 };
}

/** Returns a text or a thought, and nothing for what is no part of a turn. */
function mistralPart(told: unknown): unknown[] {
  const part = objectOf(told);
  if (part?.type === "text") return [{ type: "text", text: part.text }];
  if (part?.type !== "thinking") return [];
  const { thinking } = part;
  if (!Array.isArray(thinking)) return [part];
  const texts = thinking.filter((each) => objectOf(each)?.type === "text");
  return [{ type: "thinking", thinking: texts }];
}
