import { demand, isObject, named, type WireFormat, type WireRequest } from "./format.ts";
import { callId, DEFAULT_USAGE, finishOf, pieces, type ScriptedTurn } from "./script.ts";

const STOP_REASONS = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
} as const;

/** What scripted thinking is signed with. */
export const SIGNATURE = "c2lnbmF0dXJl";

/** Anthropic's Messages. */
export const anthropic: WireFormat = {
  name: "anthropic",
  path: /^\/v1\/messages$/,
  check,
  events,
  errorBody: (status, message) => ({
    type: "error",
    error: { type: errorType(status), message },
    request_id: "req_1",
  }),
  errorEvent: (message) =>
    named("error", { type: "error", error: { type: "overloaded_error", message } }),
};

function errorType(status: number): string {
  return {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  }[status] ?? "api_error";
}

function check({ headers, body }: WireRequest): void {
  demand(headers.get("anthropic-version"), "anthropic-version: header is required");
  demand(
    headers.get("x-api-key") ?? headers.get("authorization"),
    "x-api-key header is required",
  );
  demand(body.stream === true, "stream: true is expected here");
  demand(Number.isInteger(body.max_tokens) && body.max_tokens > 0, "max_tokens: Field required");
  demand(body.messages?.length > 0, "messages: at least one message is required");
  for (const [index, tool] of (body.tools ?? []).entries()) {
    demand(/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name), `tools.${index}.name: bad`);
    demand(tool.input_schema?.type === "object", `tools.${index}.input_schema.type: not object`);
  }
  for (const [index, block] of (body.system ?? []).entries()) checkText(block, `system.${index}`);
  let marks = (body.system ?? []).filter(isMarked).length +
    (body.tools ?? []).filter(isMarked).length;
  let open: string[] = [];
  for (const [index, message] of body.messages.entries()) {
    const at = `messages.${index}`;
    demand(
      message.role === (index % 2 === 0 ? "user" : "assistant"),
      `${at}: roles must alternate`,
    );
    const blocks = typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : message.content;
    demand(blocks.length > 0, `${at}: all messages must have non-empty content`);
    marks += blocks.filter(isMarked).length;
    const results = blocks.filter((block: { type: string }) => block.type === "tool_result");
    for (const id of open) {
      const found = results.filter((result: { tool_use_id: string }) => result.tool_use_id === id);
      demand(found.length === 1, `${at}: one tool_result is needed for tool_use ${id}`);
    }
    demand(results.length === open.length, `${at}: unexpected tool_use_id in tool_result`);
    demand(
      blocks.slice(0, results.length).every((block: unknown) => results.includes(block)),
      `${at}: tool_result blocks come first`,
    );
    for (const [part, block] of blocks.entries()) checkBlock(block, `${at}.content.${part}`, body);
    open = blocks.filter((block: { type: string }) => block.type === "tool_use").map((
      block: { id: string },
    ) => block.id);
    demand(new Set(open).size === open.length, `${at}: tool_use ids must be unique`);
  }
  demand(open.length === 0, "the last tool_use has no tool_result");
  demand(marks <= 4, "A maximum of 4 blocks with cache_control may be provided");
}

function isMarked(block: unknown): boolean {
  return isObject(block) && block.cache_control !== undefined && block.cache_control !== null;
}

function checkText(block: { text: unknown }, at: string): void {
  demand(
    typeof block.text === "string" && block.text.trim() !== "",
    `${at}: text content blocks must be non-empty`,
  );
}

// deno-lint-ignore no-explicit-any -- as `WireRequest.body`.
function checkBlock(block: any, at: string, body: any): void {
  switch (block.type) {
    case "text":
      return checkText(block, at);
    case "image":
      return checkImage(block, at);
    case "thinking":
      demand(block.signature === SIGNATURE, `${at}: Invalid signature in thinking block`);
      return demand(!isMarked(block), `${at}: thinking can't be cached`);
    case "redacted_thinking":
      return demand(typeof block.data === "string", `${at}: data: Field required`);
    case "tool_use":
      demand(/^[a-zA-Z0-9_-]+$/.test(block.id), `${at}.id: String should match pattern`);
      demand(/^[a-zA-Z0-9_-]{1,128}$/.test(block.name), `${at}.name: bad`);
      return demand(isObject(block.input), `${at}.input: Input should be a valid dictionary`);
    case "tool_result":
      demand(body.tools?.length > 0, "tools: must be defined where tool blocks are");
      if (typeof block.content === "string") return;
      for (const part of block.content ?? []) {
        if (part.type === "text") checkText(part, at);
        else checkImage(part, at);
      }
      return;
    default:
      demand(false, `${at}: Input tag "${block.type}" is not expected`);
  }
}

// deno-lint-ignore no-explicit-any -- as `WireRequest.body`.
function checkImage(block: any, at: string): void {
  demand(block.type === "image", `${at}: not an image`);
  demand(
    /^image\/(png|jpeg|gif|webp)$/.test(block.source?.media_type),
    `${at}.source.media_type: not one of the four`,
  );
  demand(block.source.data?.length > 0, `${at}.source.data: empty`);
}

function events(turn: ScriptedTurn, { body }: WireRequest): string[] {
  const usage = turn.usage === null ? { input: 0, output: 0 } : turn.usage ?? DEFAULT_USAGE;
  const blocks = blocksOf(turn);
  return [
    named("message_start", {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: body.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.input,
          cache_creation_input_tokens: usage.cacheWrite ?? 0,
          cache_read_input_tokens: usage.cacheRead ?? 0,
          output_tokens: 1,
        },
      },
    }),
    named("ping", { type: "ping" }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      named("content_block_start", { type: "content_block_start", index, content_block: start }),
      ...deltas.map((delta) =>
        named("content_block_delta", { type: "content_block_delta", index, delta })
      ),
      named("content_block_stop", { type: "content_block_stop", index }),
    ]),
    named("message_delta", {
      type: "message_delta",
      delta: { stop_reason: STOP_REASONS[finishOf(turn)], stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    named("message_stop", { type: "message_stop" }),
  ];
}

interface Block {
  readonly start: Record<string, unknown>;
  readonly deltas: readonly Record<string, unknown>[];
}

function blocksOf(turn: ScriptedTurn): Block[] {
  const blocks: Block[] = [];
  if (turn.reasoning !== undefined) {
    blocks.push({
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(turn.reasoning, turn).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: SIGNATURE },
      ],
    });
  }
  if (turn.hiddenReasoning !== undefined) {
    blocks.push({ start: { type: "redacted_thinking", data: turn.hiddenReasoning }, deltas: [] });
  }
  if (turn.text !== undefined) {
    blocks.push({
      start: { type: "text", text: "" },
      deltas: pieces(turn.text, turn).map((text) => ({ type: "text_delta", text })),
    });
  }
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    blocks.push({
      start: { type: "tool_use", id: callId(call, index), name: call.name, input: {} },
      deltas: pieces(call.arguments, turn).map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      })),
    });
  }
  return blocks;
}
