import { assertEquals } from "@std/assert";
import { knownProvider } from "../../src/models/catalog/providers.ts";
import { PROVIDERS } from "../../src/models/providers/mod.ts";
import { assistant, modelAt, request, user } from "./wire/asking.ts";
import { wireServer } from "./wire/server.ts";

Deno.test("the catalog and the providers say the same", () => {
  for (const { prefix, displayName, keyVariable } of PROVIDERS) {
    const facts = { displayName, keyVariable };
    assertEquals(knownProvider(prefix) ?? facts, facts);
  }
});

Deno.test("OpenAI-compatible providers get their own headers and fields", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const asked = async (id: string, reasoningEffort: string | null = null) => {
    const model = await modelAt(server, id);
    await model.ask(request([user("go")], { reasoningEffort, temperature: 0.5 }));
    const { headers, body } = server.requests.at(-1)!;
    const { model: name, messages: _, tools: _tools, ...rest } = body;
    assertEquals(headers.get("authorization"), "Bearer sk-test");
    return { name, rest, headers };
  };
  const common = {
    max_tokens: 64_000,
    temperature: 0.5,
    tool_choice: "auto",
    stream: true,
    stream_options: { include_usage: true },
  };

  const xai = await asked("xai/grok-4.7", "low");
  assertEquals(xai.headers.get("x-grok-conv-id"), "run-1");
  assertEquals(xai.rest, { ...common, reasoning_effort: "low" });

  const fireworks = await asked("fireworks_ai/accounts/fireworks/models/glm-5p3");
  assertEquals(fireworks.name, "accounts/fireworks/models/glm-5p3");
  assertEquals(fireworks.headers.get("x-session-affinity"), "run-1");
  assertEquals(fireworks.rest, common);

  const kimi = await asked("together_ai/moonshotai/Kimi-K3");
  assertEquals(kimi.rest.reasoning, { enabled: true });
  assertEquals((await asked("together_ai/zai-org/GLM-5.3")).rest.reasoning, undefined);
  assertEquals((await asked("openrouter/x/y")).name, "x/y");
});

Deno.test("reasoning goes back only to those who take it", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const said = assistant({ content: "Hi.", reasoning_content: "hm" });
  const sent = async (id: string) => {
    const model = await modelAt(server, id);
    await model.ask(request([user("go"), said, user("on")]));
    return server.requests.at(-1)!.body.messages[1].reasoning_content;
  };
  assertEquals(await sent("deepseek/deepseek-v4-pro"), "hm");
  assertEquals(await sent("moonshot/kimi-k3"), "hm");
  assertEquals(await sent("groq/llama-4"), undefined);
  assertEquals(await sent("cerebras/gpt-oss-120b"), undefined);
});

Deno.test("Mistral's models are answered after tool results, whoever serves them", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const call = { id: "c", function: { name: "bash", arguments: "{}" }, type: "function" };
  const conversation = [user("go"), assistant({ tool_calls: [call] }), user("on")];
  const roles = async (id: string) => {
    await (await modelAt(server, id)).ask(request(conversation));
    return server.requests.at(-1)!.body.messages.map(({ role }: { role: string }) => role);
  };
  const plain = ["user", "assistant", "tool", "user"];
  const answered = ["user", "assistant", "tool", "assistant", "user"];
  assertEquals(await roles("ollama/devstral:24b"), answered);
  assertEquals(await roles("openrouter/mistralai/mistral-large-4"), answered);
  assertEquals(await roles("mistral/mistral-large-4"), answered);
  assertEquals(await roles("ollama/qwen3"), plain);
});

Deno.test("a provider without capacity is asked with priority from then on", async () => {
  await using server = wireServer((_request, index) =>
    index === 0 ? { fault: { kind: "status", status: 503 } } : { text: "x" }
  );
  const model = await modelAt(server, "fireworks_ai/glm-5p3", { serviceTier: "auto" });
  const failed = await model.ask(request([user("go")])).catch(() => "failed");
  assertEquals(failed, "failed");
  const turn = await model.ask(request([user("go")]));
  assertEquals(server.requests.map(({ body }) => body.service_tier), [undefined, "priority"]);
  assertEquals(turn.usage?.service_tier, "priority");
});

Deno.test("priority is asked for only where it exists", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  for (const [id, tier] of [["fireworks_ai/x", "priority"], ["groq/x", undefined]] as const) {
    const model = await modelAt(server, id, { serviceTier: "priority" });
    const turn = await model.ask(request([user("go")]));
    assertEquals(server.requests.at(-1)?.body.service_tier, tier);
    assertEquals(turn.usage?.service_tier, tier ?? null);
  }
});
