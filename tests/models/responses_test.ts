import { assertEquals } from "@std/assert";
import { modelAt, request, result, user } from "./wire/asking.ts";
import { wireServer } from "./wire/server.ts";
import { testTurns } from "./wire/turn_suite.ts";

testTurns("responses", {
  id: "openai/gpt-6",
  reasoningIsBack: (body) =>
    assertEquals(body.input[1], {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "I look first." }],
      encrypted_content: "ZW5jcnlwdGVk",
    }),
});

Deno.test("responses: nothing is stored, reasoning is encrypted, the run keys the cache", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const asked = async (id: string, reasoningEffort: string | null) => {
    const model = await modelAt(server, id);
    await model.ask(request([user("go")], { reasoningEffort, temperature: 0 }));
    const { store, include, prompt_cache_key, reasoning, temperature } = server.requests.at(-1)!
      .body;
    return { store, include, prompt_cache_key, reasoning, temperature };
  };
  const always = { store: false, prompt_cache_key: "run-1" };
  const include = ["reasoning.encrypted_content"];
  assertEquals(await asked("openai/gpt-6", "high"), {
    ...always,
    include,
    reasoning: { effort: "high", summary: "detailed" },
    temperature: undefined,
  });
  assertEquals(await asked("meta/muse-spark-1.3", "xhigh"), {
    ...always,
    include,
    reasoning: { effort: "xhigh", summary: "detailed" },
    temperature: undefined,
  });
  assertEquals(await asked("openai/gpt-4o", null), {
    ...always,
    include: undefined,
    reasoning: undefined,
    temperature: 0,
  });
});

Deno.test("responses: reasoning without a summary goes back too", async () => {
  await using server = wireServer([
    { hiddenReasoning: "c2VjcmV0", toolCalls: [{ name: "bash", arguments: "{}" }] },
    { text: "done" },
  ]);
  const model = await modelAt(server, "openai/gpt-6");
  const { message } = await model.ask(request([user("go")]));
  assertEquals(message.reasoning_content, null);
  await model.ask(request([user("go"), message, result("call_1", "1")]));
  assertEquals(server.requests[1]?.body.input[1], {
    type: "reasoning",
    id: "rs_1",
    summary: [],
    encrypted_content: "c2VjcmV0",
  });
});
