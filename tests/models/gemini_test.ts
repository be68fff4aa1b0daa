import { assertEquals } from "@std/assert";
import { modelAt, request, result, user } from "./wire/asking.ts";
import { wireServer } from "./wire/server.ts";
import { THOUGHT_SIGNATURE } from "./wire/gemini.ts";
import { testTurns } from "./wire/turn_suite.ts";

testTurns("gemini", {
  id: "gemini/gemini-3.8-flash",
  reasoningIsBack: (body) =>
    assertEquals(body.contents[1].parts[1].thoughtSignature, THOUGHT_SIGNATURE),
});

Deno.test("gemini: thoughts are asked for, with the effort as the model takes it", async () => {
  await using server = wireServer(() => ({ text: "x" }));
  const asked = async (id: string, reasoningEffort: string | null) => {
    const model = await modelAt(server, id);
    await model.ask(request([user("go")], { reasoningEffort }));
    return server.requests.at(-1)!.body.generationConfig.thinkingConfig;
  };
  assertEquals(await asked("gemini/gemini-3.8-flash", null), { includeThoughts: true });
  assertEquals(await asked("gemini/gemini-3.8-flash", "low"), {
    thinkingLevel: "low",
    includeThoughts: true,
  });
  assertEquals(await asked("gemini/gemini-2.5-pro", "low"), {
    thinkingBudget: 1024,
    includeThoughts: true,
  });
  assertEquals(await asked("gemini/gemini-2.5-pro", null), undefined);
});

Deno.test("gemini: calls get ids that are the same in each replay", async () => {
  const calls = [{ name: "bash", arguments: "{}" }];
  await using server = wireServer(() => ({ toolCalls: calls }));
  const model = await modelAt(server, "gemini/gemini-2.5-pro");
  const first = await model.ask(request([user("go")]));
  assertEquals(first.message.tool_calls?.[0]?.id, "call_1");
  const conversation = [user("go"), first.message, result("call_1", "1")];
  for (let times = 0; times < 2; times++) {
    const second = await model.ask(request(conversation));
    assertEquals(second.message.tool_calls?.[0]?.id, "call_2");
  }
});

Deno.test("gemini: a signature of a text goes back with it", async () => {
  await using server = wireServer([{ reasoning: "hm", text: "Hello." }, { text: "done" }]);
  const model = await modelAt(server, "gemini/gemini-3.8-flash");
  const { message } = await model.ask(request([user("go")]));
  await model.ask(request([user("go"), message, user("on")]));
  assertEquals(server.requests[1]?.body.contents[1].parts, [
    { text: "Hello.", thoughtSignature: THOUGHT_SIGNATURE },
  ]);
});
