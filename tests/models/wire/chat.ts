import { data, demand, type WireFormat, type WireRequest } from "./format.ts";
import { THOUGHT_SIGNATURE } from "./gemini.ts";
import { callId, DEFAULT_USAGE, finishOf, pieces, type ScriptedTurn } from "./script.ts";

/** OpenAI's Chat Completions, as most others speak it too. */
export const chat: WireFormat = {
  name: "chat",
  path: /^\/v1\/chat\/completions$/,
  check: checkChat,
  events: (turn, request) =>
    chatEvents(turn, request, (reasoning) => ({ reasoning_content: reasoning })),
  errorBody: (status, message) => ({
    error: { message, type: errorType(status), param: null, code: null },
  }),
  errorEvent: (message) => data({ error: { message, type: "server_error", code: null } }),
};

function errorType(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/**
 * Throws a `Complaint`. `hasPlainImages`: the URL of an image stands without an object around it.
 */
export function checkChat({ body }: WireRequest, hasPlainImages = false): void {
  demand(typeof body.model === "string", "you must provide a model parameter");
  demand(body.stream === true, "stream: true is expected here");
  demand(body.messages?.length > 0, "'messages': expected at least one");
  for (const tool of body.tools ?? []) {
    demand(tool.type === "function", "tools: only functions are expected here");
    demand(/^[a-zA-Z0-9_-]{1,64}$/.test(tool.function.name), "'tools[0].function.name': bad");
    demand(tool.function.parameters?.type === "object", "Invalid schema for function: not object");
  }
  let open: string[] = [];
  for (const [index, message] of body.messages.entries()) {
    const at = `messages[${index}]`;
    if (message.role === "tool") {
      demand(
        open.includes(message.tool_call_id),
        `${at}: 'tool' must be a response to a preceding message with 'tool_calls'`,
      );
      open = open.filter((id) => id !== message.tool_call_id);
      checkContent(message.content, { at: `${at}.content`, types: ["text"], hasPlainImages });
      continue;
    }
    demand(open.length === 0, `tool_call_ids did not have response messages: ${open}`);
    demand(/^(system|developer|user|assistant)$/.test(message.role), `${at}.role: bad`);
    if (message.role !== "assistant") {
      const types = ["text", "image_url"];
      checkContent(message.content, { at: `${at}.content`, types, hasPlainImages });
      continue;
    }
    const calls = message.tool_calls ?? [];
    demand(!("tool_calls" in message) || calls.length > 0, `${at}.tool_calls: too short`);
    demand(calls.length > 0 || typeof message.content === "string", `${at}.content: got null`);
    for (const call of calls) demand(isJson(call.function.arguments), `${at}: arguments: not JSON`);
    demand(
      !isGemini3(body) || calls.length === 0 || calls[0].extra_content?.google?.thought_signature,
      `${at}: Function call is missing a thought_signature`,
    );
    open = calls.map((call: { id: string }) => call.id);
    demand(new Set(open).size === open.length, `${at}: duplicate tool call ids`);
  }
  demand(open.length === 0, `tool_call_ids did not have response messages: ${open}`);
}

function checkContent(
  // deno-lint-ignore no-explicit-any -- as `WireRequest.body`.
  content: any,
  { at, types, hasPlainImages }: { at: string; types: string[]; hasPlainImages: boolean },
): void {
  if (typeof content === "string") return;
  demand(Array.isArray(content) && content.length > 0, `${at}: expected a string or parts`);
  for (const part of content) {
    demand(types.includes(part.type), `${at}: invalid type "${part.type}"`);
    if (part.type === "text") {
      demand(part.text !== "", `${at}: empty text part`);
      continue;
    }
    const url = hasPlainImages ? part.image_url : part.image_url.url;
    demand(/^data:image\/\w+;base64,./.test(url), `${at}: bad image`);
  }
}

/** Whoever passes it on: it wants the signature of its calls back. */
function isGemini3({ model }: { model: string }): boolean {
  return model.startsWith("gemini-3");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The chunks of a turn. `reasoning` says how the provider sends thoughts: a delta's fields. */
export function chatEvents(
  turn: ScriptedTurn,
  { body }: WireRequest,
  reasoning: (text: string) => Record<string, unknown>,
): string[] {
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: body.model };
  const chunk = (delta: Record<string, unknown>, finish: string | null = null) =>
    data({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const said = (text: string | undefined) => text === undefined ? [] : pieces(text, turn);
  const usage = turn.usage === null ? undefined : usageOf(turn);
  return [
    chunk({ role: "assistant", content: "" }),
    ...said(turn.reasoning).map((piece) => chunk(reasoning(piece))),
    ...said(turn.text).map((content) => chunk({ content })),
    ...(turn.toolCalls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [{
          index,
          id: callId(call, index),
          type: "function",
          function: { name: call.name, arguments: "" },
          ...(index === 0 && isGemini3(body)
            ? { extra_content: { google: { thought_signature: THOUGHT_SIGNATURE } } }
            : {}),
        }],
      }),
      ...pieces(call.arguments, turn).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
      ),
    ]),
    chunk({}, finishOf(turn)),
    ...(usage && body.stream_options?.include_usage ? [data({ ...base, choices: [], usage })] : []),
    data("[DONE]"),
  ];
}

/** Of a turn that reports it. */
export function usageOf(turn: ScriptedTurn): Record<string, unknown> {
  const usage = turn.usage ?? DEFAULT_USAGE;
  const prompt = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}
