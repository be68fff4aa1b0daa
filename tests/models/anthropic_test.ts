import { assertEquals } from "@std/assert";
import { SIGNATURE } from "./wire/anthropic.ts";
import { modelAt, request, result, user } from "./wire/asking.ts";
import { wireServer } from "./wire/server.ts";
import { testTurns } from "./wire/turn_suite.ts";

testTurns("anthropic", {
  id: "claude-opus-5",
  tellsCacheWrites: true,
  reasoningIsBack: (body) =>
    assertEquals(body.messages[1].content.slice(0, 2), [
      { type: "thinking", thinking: "I look first.", signature: SIGNATURE },
      { type: "text", text: "Looking." },
    ]),
});

const MARK = { cache_control: { type: "ephemeral", ttl: "1h" } };

Deno.test("anthropic: the last part of the last message has the cache mark", async () => {
  await using server = wireServer([
    { toolCalls: [{ name: "bash", arguments: "{}" }, { name: "bash", arguments: "{}" }] },
    { text: "done" },
  ]);
  const model = await modelAt(server, "anthropic/claude-opus-5");
  const { message } = await model.ask(request([user("go")]));
  await model.ask(request([user("go"), message, result("call_1", "1"), result("call_2", "2")]));
  const [first, second] = server.requests.map(({ body }) => body);
  assertEquals(first.messages, [
    { role: "user", content: [{ type: "text", text: "go", ...MARK }] },
  ]);
  assertEquals(second.messages[2].content, [
    { type: "tool_result", tool_use_id: "call_1", content: "1" },
    { type: "tool_result", tool_use_id: "call_2", content: "2", ...MARK },
  ]);
  assertEquals(JSON.stringify(second).split("cache_control").length, 2);
});

Deno.test("faults 3.7: anthropic: a turn that pauses is sent back as it is, and goes on", async () => {
  const script = [{ text: "I search." }, { text: "Found." }, { text: "Too lo" }];
  const reasons = ["pause_turn", "end_turn", "model_context_window_exceeded"];
  const edit = (events: readonly string[], index: number) =>
    events.map((event) => event.replace("end_turn", reasons[index]!));
  await using server = wireServer(script, { edit });
  const model = await modelAt(server, "anthropic/claude-opus-5");
  const paused = await model.ask(request([user("go")]));
  assertEquals([paused.finish_reason, paused.message.content], ["pause_turn", "I search."]);
  const whole = await model.ask(request([user("go"), paused.message]));
  assertEquals([whole.finish_reason, whole.message.content], ["stop", "Found."]);
  assertEquals(server.requests[1]?.body.messages.map(({ role }: { role: string }) => role), [
    "user",
    "assistant",
  ]);
  const full = await model.ask(request([user("go")]));
  assertEquals(full.finish_reason, "model_context_window_exceeded");
});

Deno.test("anthropic: a lone question is not kept in a cache", async () => {
  await using server = wireServer([{ text: "1" }]);
  const model = await modelAt(server, "anthropic/claude-opus-5");
  await model.ask(request([user("how good?")], { tools: [], maxOutputTokens: 10 }));
  const { body } = server.requests[0]!;
  assertEquals(JSON.stringify(body).includes("cache_control"), false);
  assertEquals([body.max_tokens, body.tools, body.tool_choice], [10, undefined, undefined]);
});

Deno.test("anthropic: thinking, effort and sampling as the model takes them", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const asked = async (id: string, reasoningEffort: string | null) => {
    const model = await modelAt(server, id);
    await model.ask(request([user("go")], { reasoningEffort, temperature: 0 }));
    const { thinking, output_config, temperature, max_tokens } = server.requests.at(-1)!.body;
    return { thinking, output_config, temperature, max_tokens };
  };
  const adaptive = { type: "adaptive", display: "summarized" };
  assertEquals(await asked("claude-opus-5", "xhigh"), {
    thinking: adaptive,
    output_config: { effort: "xhigh" },
    temperature: undefined,
    max_tokens: 128_000,
  });
  assertEquals(await asked("anthropic/claude-haiku-4-5", null), {
    thinking: undefined,
    output_config: undefined,
    temperature: 0,
    max_tokens: 64_000,
  });
});

Deno.test("anthropic: thinking that only the provider can read goes back", async () => {
  await using server = wireServer([
    { hiddenReasoning: "c2VjcmV0", toolCalls: [{ name: "bash", arguments: "{}" }] },
    { text: "done" },
  ]);
  const model = await modelAt(server, "claude-opus-5");
  const { message } = await model.ask(request([user("go")]));
  assertEquals(message.reasoning_content, null);
  await model.ask(request([user("go"), message, result("call_1", "1")]));
  assertEquals(server.requests[1]?.body.messages[1].content[0], {
    type: "redacted_thinking",
    data: "c2VjcmV0",
  });
});
