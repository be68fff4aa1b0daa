import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { ModelFailure } from "../../src/protocol/model_failure.ts";
import { openModel } from "../../src/models/open_model.ts";
import { callsOf, modelAt, request, result, user } from "./wire/asking.ts";
import { wireServer } from "./wire/server.ts";

const KEY = { apiKey: "sk-test", proxyUrl: undefined, fetch };

Deno.test("openModel() refuses what can't be called, and says what can be done", async () => {
  const refusal = async (id: string, options: Partial<typeof KEY> & { apiKey?: string } = {}) => {
    const asked = () => openModel(id, { ...KEY, ...options });
    const error = await assertRejects(asked, KarotteError);
    assertEquals(error.code, "usage");
    return `${error.message} (${error.hint})`;
  };
  assertMatch(await refusal("acme/x"), /no provider "acme".*anthropic, openai.*--proxy URL/);
  assertMatch(await refusal("gpt-6"), /names no provider/);
  assertMatch(await refusal("vertex_ai/gemini-3-pro"), /Vertex AI is not supported/);
  assertMatch(await refusal("openai/gpt-6", { apiKey: "" }), /no key \(set OPENAI_API_KEY\)/);
});

Deno.test("a provider that needs no key gets none", async () => {
  await using server = wireServer([{ text: "x" }]);
  const model = await modelAt(server, "ollama/qwen3", { apiKey: undefined });
  await model.ask(request([user("go")]));
  assertEquals(server.requests[0]?.headers.get("authorization"), null);
});

Deno.test("behind a proxy Claude is called by its own API, others by Chat Completions", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const asked = async (id: string, suffix: string) => {
    const proxyUrl = `${server.url}${suffix}`;
    const model = await openModel(id, { apiKey: undefined, proxyUrl, fetch });
    await model.ask(request([user("go")]));
    const { path, body, headers } = server.requests.at(-1)!;
    const key = headers.get("x-api-key") ?? headers.get("authorization");
    return [path, body.model, key];
  };
  for (const suffix of ["", "/", "/v1", "/v1/"]) {
    assertEquals(await asked("anthropic/claude-opus-5", suffix), [
      "/v1/messages",
      "claude-opus-5",
      "model_api_key",
    ]);
    assertEquals(await asked("gemini/gemini-3.8-flash", suffix), [
      "/v1/chat/completions",
      "gemini-3.8-flash",
      "Bearer model_api_key",
    ]);
  }
  const path = async (id: string) => (await asked(id, ""))[0];
  assertEquals(await path("openai/gpt-5"), "/v1/chat/completions");
  assertEquals(await path("openai/gpt-6"), "/v1/responses");
  assertEquals(await path("mistral/mistral-large-4"), "/v1/chat/completions");
  assertEquals(await asked("acme/house/model", ""), [
    "/v1/chat/completions",
    "house/model",
    "Bearer model_api_key",
  ]);
  assertEquals((await asked("house-model", ""))[1], "house-model");
});

Deno.test("a proxy is told of what it would drop, and given what caches go by", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const asked = async (id: string) => {
    const model = await openModel(id, { ...KEY, proxyUrl: server.url });
    await model.ask(request([user("go")], { reasoningEffort: "low" }));
    return server.requests.at(-1)!;
  };
  const grok = await asked("xai/grok-4.7");
  assertEquals(grok.headers.get("x-grok-conv-id"), "run-1");
  assertEquals(grok.body.reasoning_effort, "low");
  assertEquals(grok.body.allowed_openai_params, ["reasoning_effort"]);
  const gpt = await asked("openai/gpt-5");
  assertEquals(gpt.body.prompt_cache_key, "run-1");
  assertEquals(gpt.body.allowed_openai_params, undefined);
});

Deno.test("behind a proxy too Gemini gets the signatures of its calls back", async () => {
  await using server = wireServer([
    { toolCalls: [{ name: "bash", arguments: "{}" }, { name: "bash", arguments: "{}" }] },
    { text: "done" },
  ]);
  const model = await openModel("gemini/gemini-3.8-flash", { ...KEY, proxyUrl: server.url });
  const { message } = await model.ask(request([user("go")]));
  const results = [result("call_1", "1"), result("call_2", "2")];
  await model.ask(request([user("go"), JSON.parse(JSON.stringify(message)), ...results]));
});

Deno.test("what fails is a ModelFailure with the provider's words", async () => {
  await using server = wireServer(() => ({
    fault: { kind: "status", status: 429, headers: { "retry-after": "7" } },
  }));
  for (const id of ["claude-opus-5", "openai/gpt-6", "gemini/x", "mistral/x", "groq/x"]) {
    const model = await modelAt(server, id);
    const failure = await assertRejects(() => model.ask(request([user("go")])), ModelFailure);
    assertEquals([failure.kind, failure.status, failure.retryAfterMs], ["rate_limit", 429, 7000]);
    assertMatch(failure.message, /scripted failure 429/);
  }
});

Deno.test("tools with names that no provider takes are called by them all the same", async () => {
  const tool = { name: "my tool.v2", description: "", input_schema: { $schema: "x" } };
  await using server = wireServer((_request, index) =>
    index % 2 === 1 ? { text: "done" } : {
      toolCalls: [{ name: nameIn(server.requests.at(-1)?.body), arguments: "{}" }],
    }
  );
  for (const id of ["claude-opus-5", "openai/gpt-6", "gemini/gemini-2.5-pro", "groq/x"]) {
    const model = await modelAt(server, id);
    const turn = await model.ask(request([user("go")], { tools: [tool] }));
    assertEquals(callsOf(turn), [["my tool.v2", "{}"]]);
    const conversation = [user("go"), turn.message, result("call_1", "x")];
    await model.ask(request(conversation, { tools: [tool] }));
  }
});

// deno-lint-ignore no-explicit-any -- a body of any format.
function nameIn({ tools: [tool] }: any): string {
  return tool.name ?? tool.function?.name ?? tool.functionDeclarations[0].name;
}

Deno.test("arguments are repaired as the model needs it", async () => {
  await using server = wireServer([
    { toolCalls: [{ name: "bash", arguments: '{"command":"\\"ls\\""}' }] },
  ]);
  const model = await modelAt(server, "xai/grok-4.7");
  assertEquals(callsOf(await model.ask(request([user("go")]))), [["bash", '{"command":"ls"}']]);
});

Deno.test("a call that a model made up without any tool does not spoil the conversation", async () => {
  const ids = ["anthropic/claude-opus-5", "openai/gpt-6", "gemini/gemini-3.8-flash", "acme/x"];
  for (const id of ids) {
    const call = { name: "bash", arguments: "{}" };
    await using server = wireServer([{ toolCalls: [call, call] }, { text: "done" }]);
    const proxyUrl = id === "acme/x" ? server.url : undefined;
    const model = await modelAt(server, id, { proxyUrl });
    const { message } = await model.ask(request([user("go")], { tools: [] }));
    const results = message.tool_calls!.map((call) => result(call.id, "no such tool"));
    const turn = await model.ask(request([user("go"), message, ...results], { tools: [] }));
    assertEquals(turn.message.content, "done", id);
  }
});
