import { chat, chatEvents, checkChat, usageOf } from "./chat.ts";
import { demand, type WireFormat, type WireRequest } from "./format.ts";
import type { ScriptedTurn } from "./script.ts";

/** Mistral's kind of Chat Completions. */
export const mistral: WireFormat = {
  ...chat,
  name: "mistral",
  path: /^\/mistral\/v1\/chat\/completions$/,
  check,
  events,
  errorBody: (status, message) => ({
    object: "error",
    message,
    type: { 400: "invalid_request_error", 429: "rate_limited" }[status] ?? "server_error",
    param: null,
    code: String(status),
  }),
};

function check(request: WireRequest): void {
  checkChat(request, true);
  const { messages } = request.body;
  let before = "";
  for (const [index, message] of messages.entries()) {
    demand(
      !(message.role === "user" && before === "tool"),
      "Unexpected role 'user' after role 'tool'",
    );
    demand(!("reasoning_content" in message), `messages[${index}]: Extra inputs are not permitted`);
    for (const call of message.tool_calls ?? []) {
      demand(/^[a-zA-Z0-9]{9}$/.test(call.id), `Tool call id was ${call.id} but must be 9 long`);
      demand(call.function.arguments.startsWith("{"), "arguments must be an object");
    }
    before = message.role;
  }
  demand(before === "user" || before === "tool", "Expected last role User or Tool");
}

/** Usage comes unasked, with the reason to end; thoughts are a part of the content. */
function events(turn: ScriptedTurn, request: WireRequest): string[] {
  const quiet = { ...request, body: { ...request.body, stream_options: undefined } };
  const all = chatEvents(turn, quiet, (text) => ({
    content: [{ type: "thinking", thinking: [{ type: "text", text }] }],
  }));
  if (turn.usage === null) return all;
  const usage = `,"usage":${JSON.stringify(usageOf(turn))}}\n\n`;
  return all.map((event) =>
    event.includes('"finish_reason":null') || event.includes("[DONE]")
      ? event
      : event.replace(/\}\n\n$/, () => usage)
  );
}
