import { data, demand, named, type WireFormat, type WireRequest } from "./format.ts";
import { callId, DEFAULT_USAGE, finishOf, pieces, type ScriptedTurn } from "./script.ts";

/** OpenAI's Responses. */
export const responses: WireFormat = {
  name: "responses",
  path: /^\/v1\/responses$/,
  check,
  events,
  errorBody: (status, message) => ({
    error: {
      message,
      type: status < 500 ? "invalid_request_error" : "server_error",
      param: null,
      code: null,
    },
  }),
  errorEvent: (message) =>
    named("error", {
      type: "error",
      code: "server_error",
      message,
      param: null,
      sequence_number: 99,
    }),
};

function check({ body }: WireRequest): void {
  demand(typeof body.model === "string", "Missing required parameter: 'model'.");
  demand(body.stream === true, "stream: true is expected here");
  demand(body.store === false, "store: false is expected here");
  demand(
    Array.isArray(body.input) && body.input.length > 0,
    "Missing required parameter: 'input'.",
  );
  for (const tool of body.tools ?? []) {
    demand(tool.type === "function", "tools: only functions are expected here");
    demand(/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name), "Invalid 'tools[0].name'");
    demand(tool.parameters?.type === "object", "Invalid schema for function: not object");
    demand(
      tool.parameters.properties,
      "Invalid schema for function: object schema missing properties",
    );
  }
  let open: string[] = [];
  for (const [index, item] of body.input.entries()) {
    const at = `input[${index}]`;
    if (item.type === "function_call_output") {
      demand(
        open.includes(item.call_id),
        `No tool call found for function call output ${item.call_id}`,
      );
      open = open.filter((id) => id !== item.call_id);
      if (typeof item.output !== "string") checkParts(item.output, `${at}.output`, /^input_/);
      continue;
    }
    if (item.type === "function_call") {
      demand(!open.includes(item.call_id), `${at}: duplicate call_id`);
      open.push(item.call_id);
      demand(item.arguments.startsWith("{"), `${at}.arguments: not an object`);
      continue;
    }
    if (item.type === "reasoning") {
      demand(/^rs_/.test(item.id), `${at}.id: Expected an ID that begins with 'rs'.`);
      demand(item.encrypted_content, `Item with id '${item.id}' not found: it was not stored`);
      const next = body.input[index + 1];
      demand(
        next && next.type !== "function_call_output" && (next.role ?? "assistant") === "assistant",
        `Item '${item.id}' was provided without its required following item.`,
      );
      continue;
    }
    demand(open.length === 0, `No tool output found for function call ${open[0]}`);
    demand(/^(system|developer|user|assistant)$/.test(item.role), `${at}.role: Invalid value`);
    if (typeof item.content === "string") continue;
    checkParts(
      item.content,
      `${at}.content`,
      item.role === "assistant" ? /^output_text$/ : /^input_/,
    );
  }
  demand(open.length === 0, `No tool output found for function call ${open[0]}`);
}

// deno-lint-ignore no-explicit-any -- as `WireRequest.body`.
function checkParts(parts: any[], at: string, type: RegExp): void {
  demand(parts.length > 0, `${at}: empty array`);
  for (const part of parts) {
    demand(type.test(part.type), `${at}: Invalid value: '${part.type}'`);
    if (part.type === "input_image") {
      demand(/^data:image\//.test(part.image_url), `${at}: bad image`);
    } else demand(part.text !== "", `${at}: empty text`);
  }
}

type Item = Record<string, unknown>;

function events(turn: ScriptedTurn, { body }: WireRequest): string[] {
  let sequence = 0;
  const event = (type: string, fields: Item) =>
    named(type, { type, sequence_number: sequence++, ...fields });
  const response = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: body.model,
    output: [],
    error: null,
    incomplete_details: null,
    service_tier: "default",
  };
  const finish = finishOf(turn);
  const reason =
    { length: "max_output_tokens", content_filter: "content_filter" }[finish as string];
  const end = reason === undefined ? "completed" : "incomplete";
  return [
    event("response.created", { response: { ...response, status: "in_progress" } }),
    event("response.in_progress", { response: { ...response, status: "in_progress" } }),
    ...outputOf(turn).flatMap(({ item, added, deltas }, output_index) => [
      event("response.output_item.added", { output_index, item: { ...item, ...added } }),
      ...deltas.map(({ type, ...fields }) =>
        event(type as string, { item_id: item.id, output_index, ...fields })
      ),
      event("response.output_item.done", { output_index, item }),
    ]),
    event(`response.${end}`, {
      response: {
        ...response,
        status: end,
        incomplete_details: reason === undefined ? null : { reason },
        usage: turn.usage === null ? null : usageOf(turn),
      },
    }),
    data("[DONE]"),
  ];
}

interface Output {
  /** As it is at its end. */
  readonly item: Item & { id: string };
  /** What is other at its beginning. */
  readonly added: Item;
  readonly deltas: readonly Item[];
}

function outputOf(turn: ScriptedTurn): Output[] {
  const output: Output[] = [];
  if (turn.reasoning !== undefined || turn.hiddenReasoning !== undefined) {
    const summary = turn.reasoning === undefined
      ? []
      : [{ type: "summary_text", text: turn.reasoning }];
    const encrypted_content = turn.hiddenReasoning ?? "ZW5jcnlwdGVk";
    const at = { summary_index: 0 };
    const deltas = turn.reasoning === undefined ? [] : [
      {
        type: "response.reasoning_summary_part.added",
        ...at,
        part: { type: "summary_text", text: "" },
      },
      ...pieces(turn.reasoning, turn).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        ...at,
        delta,
      })),
      { type: "response.reasoning_summary_text.done", ...at, text: turn.reasoning },
      { type: "response.reasoning_summary_part.done", ...at, part: summary[0] },
    ];
    output.push({
      item: { id: "rs_1", type: "reasoning", summary, encrypted_content },
      added: { summary: [], encrypted_content: "" },
      deltas,
    });
  }
  if (turn.text !== undefined) {
    const at = { content_index: 0 };
    const content = [{ type: "output_text", text: turn.text, annotations: [] }];
    output.push({
      item: { id: "msg_1", type: "message", role: "assistant", status: "completed", content },
      added: { status: "in_progress", content: [] },
      deltas: [
        { type: "response.content_part.added", ...at, part: { ...content[0], text: "" } },
        ...pieces(turn.text, turn).map((delta) => ({
          type: "response.output_text.delta",
          ...at,
          delta,
        })),
        { type: "response.output_text.done", ...at, text: turn.text },
        { type: "response.content_part.done", ...at, part: content[0] },
      ],
    });
  }
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    output.push({
      item: {
        id: `fc_${index + 1}`,
        type: "function_call",
        status: "completed",
        call_id: callId(call, index),
        name: call.name,
        arguments: call.arguments,
      },
      added: { status: "in_progress", arguments: "" },
      deltas: [
        ...pieces(call.arguments, turn).map((delta) => ({
          type: "response.function_call_arguments.delta",
          delta,
        })),
        { type: "response.function_call_arguments.done", arguments: call.arguments },
      ],
    });
  }
  return output;
}

function usageOf(turn: ScriptedTurn): Item {
  const usage = turn.usage ?? DEFAULT_USAGE;
  const input_tokens = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: input_tokens + usage.output,
  };
}
