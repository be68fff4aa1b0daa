import { APICallError } from "@ai-sdk/provider";
import { assertEquals } from "@std/assert";
import { failureOf } from "./failure_of.ts";

/** Who says it, the status it comes with, and the sentence. */
const PHRASINGS: readonly (readonly [string, number, string])[] = [
  [
    "OpenAI",
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
  ],
  [
    "OpenAI Responses",
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  ["Anthropic", 400, "prompt is too long: 208310 tokens > 200000 maximum"],
  [
    "Anthropic",
    400,
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
  ],
  ["Anthropic", 413, "Request exceeds the maximum size"],
  [
    "vLLM",
    400,
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
  ],
  [
    "vLLM",
    422,
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
  ],
  ["vLLM", 500, "max_tokens must be at least 1, got -904."],
  [
    "SGLang",
    400,
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
  ],
  [
    "SGLang",
    400,
    "Requested token count exceeds the model's maximum context length of 4096 tokens.",
  ],
  [
    "Gemini",
    400,
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ],
  [
    "Vertex",
    400,
    "Unable to submit request because the input token count is 40000 but model only supports up to 32768.",
  ],
  [
    "llama.cpp",
    500,
    "the request exceeds the available context size. try increasing the context size or enable context shift",
  ],
  [
    "llama.cpp",
    400,
    "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
  ],
  [
    "Mistral",
    400,
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ],
  ["Together", 422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097."],
  ["Fireworks", 400, "The prompt is too long: 9000, model maximum context length: 8191"],
  [
    "xAI",
    400,
    "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
  ],
  [
    "OpenRouter",
    400,
    "This endpoint's maximum context length is 4096 tokens. However, you requested about 5000 tokens.",
  ],
  ["Groq", 400, "Please reduce the length of the messages or completion."],
  [
    "Moonshot",
    400,
    "Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)",
  ],
  ["Bedrock", 400, "Input is too long for requested model."],
  [
    "LM Studio",
    400,
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
  ],
  [
    "litellm",
    400,
    "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - too long",
  ],
];

for (const [who, status, message] of PHRASINGS) {
  Deno.test(`failureOf() knows a conversation too long for ${who}: ${message.slice(0, 30)}`, () => {
    assertEquals(kindOf(status, { message }), "context_length");
  });
}

/** What is about lengths too, and is something else. */
const OTHERS: readonly (readonly [string, number, string])[] = [
  [
    "rate_limit",
    429,
    "Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000. Please reduce the length of the messages.",
  ],
  [
    "request",
    400,
    "max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens",
  ],
  [
    "request",
    400,
    "max_tokens is too large: 200000. This model supports at most 16384 completion tokens",
  ],
  ["request", 400, "messages.3: tool_use ids were found without tool_result blocks"],
  ["provider", 500, "Internal server error"],
  ["authentication", 401, "the context length exceeded key is invalid"],
];

for (const [kind, status, message] of OTHERS) {
  Deno.test(`failureOf() takes for no conversation too long: ${message.slice(0, 40)}`, () => {
    assertEquals(kindOf(status, { message }), kind);
  });
}

Deno.test("failureOf() knows a conversation too long by the error's code", () => {
  assertEquals(kindOf(400, { message: "no", code: "context_length_exceeded" }), "context_length");
  assertEquals(kindOf(400, { message: "no", type: "exceed_context_size_error" }), "context_length");
});

Deno.test("failureOf() does not search what a server repeats of the request", () => {
  const detail = [{ msg: "Field required", input: "prompt is too long" }];
  const body = JSON.stringify({ detail });
  assertEquals(failureOf(callError(422, body), { id: "openai/x" }).kind, "request");
});

function kindOf(status: number, error: Record<string, unknown>): string {
  return failureOf(callError(status, JSON.stringify({ error })), { id: "openai/x" }).kind;
}

function callError(statusCode: number, responseBody: string): APICallError {
  const url = "http://127.0.0.1:4000/v1/chat/completions";
  return new APICallError({ message: "no", url, requestBodyValues: {}, statusCode, responseBody });
}
