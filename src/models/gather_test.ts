import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { assertEquals, assertRejects } from "@std/assert";
import type { Turn } from "../protocol/turn.ts";
import { assistantParts } from "./assistant_parts.ts";
import { BrokenStreamError } from "./broken_stream.ts";
import { gather } from "./gather.ts";
import type { PromptRules } from "./provider.ts";
import { fitToolName, Renaming } from "./renaming.ts";

const NONE = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const FINISH: LanguageModelV3StreamPart = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: { inputTokens: NONE, outputTokens: { ...NONE, text: undefined, reasoning: undefined } },
};

function turnOf(parts: LanguageModelV3StreamPart[], used: string[] = []): Promise<Turn> {
  return gather(ReadableStream.from(parts), {
    toolNames: new Renaming(fitToolName),
    repairs: [],
    usedCallIds: new Set(used),
  });
}

function text(id: string, delta: string): LanguageModelV3StreamPart[] {
  return [{ type: "text-start", id }, { type: "text-delta", id, delta }, { type: "text-end", id }];
}

function thought(id: string, delta: string): LanguageModelV3StreamPart[] {
  const providerMetadata = { anthropic: { signature: `signed ${delta}` } };
  return [
    { type: "reasoning-start", id },
    { type: "reasoning-delta", id, delta },
    { type: "reasoning-delta", id, delta: "", providerMetadata },
    { type: "reasoning-end", id },
  ];
}

function call(toolCallId: string): LanguageModelV3StreamPart {
  return { type: "tool-call", toolCallId, toolName: "bash", input: "{}" };
}

Deno.test("ids that are missing or taken are replaced, the same way each time", async () => {
  const madeUp = call("xW3pQ0z8Lk2mN7vB");
  const parts = [call("a"), call(""), call("a"), call("old"), madeUp, call("b"), FINISH];
  const ids = async () => (await turnOf(parts, ["old"])).message.tool_calls!.map(({ id }) => id);
  assertEquals(await ids(), ["a", "call_3", "a_4", "old_5", "call_6", "b"]);
  assertEquals(await ids(), await ids());
});

Deno.test("reasoning between texts and calls goes back to its place", async () => {
  const turn = await turnOf([
    ...thought("0", "one"),
    ...text("1", "First."),
    ...thought("2", "two"),
    ...text("3", "Second."),
    call("a"),
    ...thought("4", "three"),
    call("b"),
    ...thought("5", "nothing follows"),
    FINISH,
  ]);
  assertEquals(turn.message.content, "First.\n\nSecond.");
  assertEquals(turn.message.reasoning_content, "one\n\ntwo\n\nthree\n\nnothing follows");
  const rules: PromptRules = {
    reasoning: "thinking_blocks",
    imagesInToolResults: true,
    answersToolResults: false,
    argumentsAsText: false,
  };
  const message = JSON.parse(JSON.stringify(turn.message));
  const same = (name: string) => name;
  const back = assistantParts(message, {
    rules,
    toolNames: new Renaming(same),
    callIds: new Renaming(same),
  });
  assertEquals(
    back.map((part) => part.type === "tool-call" ? part.toolCallId : part.text),
    ["one", "First.", "two", "\n\nSecond.", "a", "three", "b"],
  );
  assertEquals(back[2]?.providerOptions, { anthropic: { signature: "signed two" } });
});

Deno.test("one text that goes on after a thought is one text", async () => {
  const turn = await turnOf([
    ...text("0", "un"),
    ...thought("r", "hm"),
    ...text("0", "cut"),
    FINISH,
  ]);
  assertEquals(turn.message.content, "uncut");
});

Deno.test("the parts of a summary are one item of OpenAI's", async () => {
  const part = (id: string, delta: string, encrypted: string | null) => [
    { type: "reasoning-start" as const, id },
    { type: "reasoning-delta" as const, id, delta },
    {
      type: "reasoning-end" as const,
      id,
      providerMetadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: encrypted } },
    },
  ];
  const turn = await turnOf([...part("0", "a", null), ...part("1", "b", "xyz"), FINISH]);
  assertEquals(turn.message.reasoning_items, [{
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "a" }, { type: "summary_text", text: "b" }],
    encrypted_content: "xyz",
  }]);
});

Deno.test("thoughts without a signature are told and no record", async () => {
  const { message } = await turnOf([
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "hm" },
    FINISH,
  ]);
  assertEquals(message.reasoning_content, "hm");
  assertEquals("thinking_blocks" in message || "reasoning_items" in message, false);
});

Deno.test("what breaks a stream is thrown as it came, or as a broken stream", async () => {
  const error = new Error("overloaded");
  assertEquals(await assertRejects(() => turnOf([{ type: "error", error }, FINISH])), error);
  await assertRejects(() => turnOf([]), BrokenStreamError);
  await assertRejects(() => turnOf(text("0", "half a tur")), BrokenStreamError);
  const cause = new TypeError("Cannot read properties of undefined");
  const stream = new ReadableStream({ pull: () => Promise.reject(cause) });
  const options = { toolNames: new Renaming(fitToolName), repairs: [], usedCallIds: new Set("") };
  const broken = await assertRejects(() => gather(stream, options), BrokenStreamError);
  assertEquals(broken.cause, cause);
});
