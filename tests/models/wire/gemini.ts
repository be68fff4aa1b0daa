import { data, demand, isObject, type WireFormat, type WireRequest } from "./format.ts";
import { DEFAULT_USAGE, finishOf, pieces, type ScriptedTurn } from "./script.ts";

/** What scripted thoughts are signed with. */
export const THOUGHT_SIGNATURE = "dGhvdWdodA==";

/** Gemini's `streamGenerateContent`. */
export const gemini: WireFormat = {
  name: "gemini",
  path: /^\/v1beta\/models\/[^/:]+:streamGenerateContent$/,
  check,
  events,
  errorBody: (status, message) => ({ error: errorOf(status, message) }),
  errorEvent: (message) => data({ error: errorOf(503, message) }),
};

function errorOf(code: number, message: string): Record<string, unknown> {
  const status = { 400: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE" }[code];
  return { code, message, status: status ?? "INTERNAL" };
}

function check({ headers, body, path }: WireRequest): void {
  demand(headers.get("x-goog-api-key"), "Method doesn't allow unregistered callers");
  demand(body.contents?.length > 0, "contents is not specified");
  const names = (body.tools ?? []).flatMap((tool: { functionDeclarations?: unknown[] }) =>
    tool.functionDeclarations ?? []
  );
  for (const { name, parameters } of names) {
    demand(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name), `Invalid function name: ${name}`);
    demand(parameters === undefined || isObject(parameters), "parameters: not a schema");
  }
  let calls: { name: string; id?: string }[] = [];
  let before = "model";
  for (const [index, { role, parts }] of body.contents.entries()) {
    const at = `contents[${index}]`;
    demand(role === "user" || role === "model", `${at}: Please use a valid role: user, model.`);
    demand(role !== "model" || before === "user", `${at}: roles must alternate`);
    before = role;
    demand(parts?.length > 0, `${at}.parts: must not be empty`);
    // deno-lint-ignore no-explicit-any -- as `WireRequest.body`.
    const answers = parts.flatMap((part: any) => part.functionResponse ?? []);
    demand(
      answers.length === calls.length,
      "the number of function response parts must equal the number of function call parts",
    );
    for (const [answer, { name }] of calls.entries()) {
      demand(
        answers[answer].name === name,
        `${at}: function response ${answer} is not for ${name}`,
      );
    }
    // deno-lint-ignore no-explicit-any -- as above.
    calls = parts.flatMap((part: any) => part.functionCall ?? []);
    for (const call of calls) demand(isObject((call as { args?: unknown }).args), `${at}: args`);
    for (const part of parts) {
      demand(part.text === undefined || part.text !== "", `${at}: empty text parameter`);
    }
    const signed = parts.some((part: { thoughtSignature?: string }) => part.thoughtSignature);
    demand(
      !path.includes("gemini-3") || calls.length === 0 || signed,
      "Function call is missing a thought_signature in functionCall parts.",
    );
  }
  demand(before === "user", "the last content must be the user's");
}

function events(turn: ScriptedTurn): string[] {
  const parts: Record<string, unknown>[] = [];
  const { text, reasoning, toolCalls = [] } = turn;
  for (const piece of reasoning === undefined ? [] : pieces(reasoning, turn)) {
    parts.push({ text: piece, thought: true });
  }
  for (const piece of text === undefined ? [] : pieces(text, turn)) parts.push({ text: piece });
  for (const call of toolCalls) {
    // Arguments are no text here: what is no JSON can't be sent.
    parts.push({ functionCall: { name: call.name, args: JSON.parse(call.arguments) } });
  }
  const signed = parts.find((part) => part.functionCall) ?? parts.at(-1);
  if (reasoning !== undefined && signed) signed.thoughtSignature = THOUGHT_SIGNATURE;
  const FINISH = {
    stop: "STOP",
    tool_calls: "STOP",
    length: "MAX_TOKENS",
    content_filter: "SAFETY",
  };
  const usage = turn.usage === null ? {} : { usageMetadata: usageOf(turn) };
  const chunk = (content: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    data({
      candidates: [{ content, index: 0, ...more }],
      modelVersion: "scripted",
      responseId: "response_1",
      ...usage,
    });
  return [
    ...parts.map((part) => chunk({ role: "model", parts: [part] })),
    chunk({ role: "model", parts: [{ text: "" }] }, { finishReason: FINISH[finishOf(turn)] }),
  ];
}

function usageOf(turn: ScriptedTurn): Record<string, unknown> {
  const usage = turn.usage ?? DEFAULT_USAGE;
  const promptTokenCount = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  return {
    promptTokenCount,
    ...(usage.cacheRead === undefined ? {} : { cachedContentTokenCount: usage.cacheRead }),
    candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
    ...(usage.reasoning === undefined ? {} : { thoughtsTokenCount: usage.reasoning }),
    totalTokenCount: promptTokenCount + usage.output,
  };
}
