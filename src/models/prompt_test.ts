import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import { assertEquals } from "@std/assert";
import { type Message, message as messageOf, type ToolCall } from "../schemas/message.ts";
import { promptOf } from "./prompt.ts";
import type { PromptRules } from "./provider.ts";
import { fitToolName, Renaming } from "./renaming.ts";

const PNG = "iVBORw0KGgoAAAA";

function prompt(messages: Message[], rules: Partial<PromptRules> = {}): LanguageModelV3Prompt {
  return promptOf(messages, {
    rules: {
      reasoning: "none",
      imagesInToolResults: true,
      answersToolResults: false,
      argumentsAsText: true,
      ...rules,
    },
    toolNames: new Renaming(fitToolName),
  });
}

/** Who says what, in short. */
function told(prompt: LanguageModelV3Prompt): string[] {
  return prompt.map(({ role, content }) => {
    if (typeof content === "string") return `${role}: ${content}`;
    const parts = content.map((part) => {
      if (part.type === "text" || part.type === "reasoning") return part.text;
      if (part.type === "tool-call") return `${part.toolCallId}(${JSON.stringify(part.input)})`;
      if (part.type !== "tool-result") return part.type;
      return `${part.toolCallId}=${"value" in part.output ? part.output.value : ""}`;
    });
    return `${role}: ${parts.join(" | ")}`;
  });
}

const message = (role: Message["role"], fields: Partial<Message> = {}) =>
  messageOf({ ...fields, role });

const user = (content: string) => message("user", { content });
const calls = (...ids: string[]) => message("assistant", { tool_calls: ids.map((id) => call(id)) });
const result = (tool_call_id: string, content: Message["content"]) =>
  message("tool", { tool_call_id, content });

function call(id: string, args = "{}"): ToolCall {
  return { id, function: { name: "bash", arguments: args }, type: "function" };
}

Deno.test("results follow their calls, and a call without one was interrupted", () => {
  assertEquals(
    told(prompt([user("go"), calls("a", "b"), user("hm"), result("b", "B"), result("z", "Z")])),
    [
      "user: go",
      'assistant: a("{}") | b("{}")',
      "tool: a=(The tool call was interrupted: it has no result.) | b=B",
      "user: hm | Z",
    ],
  );
});

Deno.test("nothing empty is sent, and users in a row are one", () => {
  assertEquals(
    told(prompt([
      message("system", { content: "S1" }),
      message("system", { content: "S2" }),
      user("go"),
      message("assistant", { content: " \n", reasoning_content: "hm" }),
      user(""),
      message("system", { content: "late" }),
      calls("a"),
      result("a", []),
    ])),
    [
      "system: S1\n\nS2",
      "user: go | (empty message) | late",
      'assistant: a("{}")',
      "tool: a=(no output)",
    ],
  );
});

Deno.test("arguments are always an object", () => {
  const sent = (text: string, argumentsAsText: boolean) => {
    const assistant = message("assistant", { tool_calls: [call("a", text)] });
    return told(prompt([user("go"), assistant], { argumentsAsText }))[1]!.slice(13, -1);
  };
  const big = '{"id": 12345678901234567890}';
  assertEquals(sent(big, true), JSON.stringify(big));
  assertEquals(sent('{"a": 1}', false), '{"a":1}');
  assertEquals(sent("", true), "{}");
  assertEquals(sent("[1]", true), '{"value":[1]}');
  assertEquals(sent("{cut", true), '{"text":"{cut"}');
  assertEquals(sent('{"__proto__":1}', true), '{"__proto__":1}');
  assertEquals(sent('{"a":"\\ud800"}', false), '{"a":"\ufffd"}');
});

Deno.test("images go where they may", () => {
  const shot = result("a", [{ type: "image_url", image_url: { url: `data:x;base64,${PNG}` } }]);
  const conversation = [user("go"), calls("a", "b"), shot, result("b", "B"), user("on")];
  const within = prompt(conversation)[2];
  assertEquals(
    within?.role === "tool" && within.content[0]?.type === "tool-result" &&
      within.content[0].output,
    {
      type: "content",
      value: [
        { type: "text", text: "(an image)" },
        { type: "image-data", data: PNG, mediaType: "image/png" },
      ],
    },
  );
  const apart = { imagesInToolResults: false };
  const after = "user: What bash returned: | file | on";
  const results = "tool: a=(an image)\n(The next message shows it.) | b=B";
  assertEquals(told(prompt(conversation, apart)).slice(2), [results, after]);
  assertEquals(
    told(prompt(conversation, { ...apart, answersToolResults: true })).slice(2),
    [results, "assistant: Understood.", after],
  );
});

Deno.test("no half of a surrogate pair is sent, wherever it stands", () => {
  const said = message("assistant", {
    content: "b\ud83d",
    reasoning_content: "c\ud83d",
    tool_calls: [call("1", String.raw`{"x\ud83d":"\ud83d"}`), call("2", "{\ud83d")],
  });
  const messages = [message("system", { content: "a\ud83d" }), said, result("1", "d\ud83d")];
  const sent = JSON.stringify(prompt(messages, { reasoning: "reasoning_content" }));
  assertEquals(sent.match(/\\ud83d/), null);
  assertEquals(sent.match(/�/g)?.length, 7);
  assertEquals(told(prompt(messages)).slice(0, 2), [
    "system: a�",
    'assistant: b� | 1({"x�":"�"}) | 2({"text":"{�"})',
  ]);
});
