import type { Model, ModelRequest } from "../../../src/models/model.ts";
import { openModel, type OpenModelOptions } from "../../../src/models/open_model.ts";
import {
  type ContentPart,
  type Message,
  message,
  type ToolCall,
} from "../../../src/schemas/message.ts";
import type { ToolSchema } from "../../../src/protocol/tool_schema.ts";
import type { Turn } from "../../../src/protocol/turn.ts";
import type { WireServer } from "./server.ts";

/** Where the real APIs are, and where the server has them. */
const ROOTS: Readonly<Record<string, string>> = {
  "https://api.mistral.ai/v1": "/mistral/v1",
  "https://generativelanguage.googleapis.com/v1beta": "/v1beta",
};

/** `send` that takes every call of a model's API to the server instead. */
export function fetchFrom(
  server: Pick<WireServer, "url">,
  send: typeof fetch = fetch,
): typeof fetch {
  return (input, init) => {
    // Packages call it with text; a `Request` would lose its body here.
    const url = String(input);
    const [root, path] = Object.entries(ROOTS).find(([root]) => url.startsWith(root)) ??
      [/^https?:\/\/[^/]+(\/[^?]*)?\/v1(?=\/)/.exec(url)?.[0] ?? url, "/v1"];
    return send(`${server.url}${path}${url.slice(root.length)}`, init);
  };
}

/** The model, at the server as its provider's own API. */
export function modelAt(
  server: Pick<WireServer, "url">,
  id: string,
  options: Partial<OpenModelOptions> = {},
): Promise<Model> {
  return openModel(id, {
    apiKey: "sk-test",
    proxyUrl: undefined,
    fetch: fetchFrom(server),
    ...options,
  });
}

export function request(
  messages: readonly Message[],
  options: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    messages,
    tools: [BASH],
    runId: "run-1",
    reasoningEffort: null,
    signal: new AbortController().signal,
    ...options,
  };
}

export const BASH: ToolSchema = {
  name: "bash",
  description: "Runs a command",
  input_schema: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
  },
};

/** One pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export function user(content: string): Message {
  return message({ role: "user", content });
}

export function system(content: string): Message {
  return message({ role: "system", content });
}

export function assistant(said: Partial<Message>): Message {
  return message({ ...said, role: "assistant" });
}

export function result(tool_call_id: string, content: string | ContentPart[]): Message {
  return message({ role: "tool", content, tool_call_id });
}

export function image(data = PNG): ContentPart {
  return { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } };
}

export function call(id: string, command: string): ToolCall {
  return {
    id,
    function: { name: "bash", arguments: JSON.stringify({ command }) },
    type: "function",
  };
}

/** Name and arguments of a turn's calls. */
export function callsOf(turn: Turn): (readonly [string | null, string])[] {
  return (turn.message.tool_calls ?? []).map((call) =>
    [call.function.name, call.function.arguments] as const
  );
}
