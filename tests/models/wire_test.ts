import { assertEquals, assertMatch } from "@std/assert";
import { wireServer } from "./wire/server.ts";

const CALL = { id: "aB3456789", type: "function", function: { name: "f", arguments: "{}" } };
const USE = { type: "tool_use", id: "a", name: "f", input: {} };
const RESULT = { type: "tool_result", tool_use_id: "a", content: "x" };
const ITEM = { type: "function_call", call_id: "a", name: "f", arguments: "{}" };

const CHAT = {
  path: "/v1/chat/completions",
  headers: {},
  fields: { model: "m", stream: true },
  content: "messages",
};

/** Requests that the real APIs refuse, and how each goes on to the reason. */
const FORMATS = [
  {
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
    fields: { model: "m", stream: true, max_tokens: 9, tools: [] },
    content: "messages",
    good: [{ role: "user", content: "x" }],
    bad: [
      [[], /at least one message/],
      [[{ role: "user", content: " " }], /non-empty/],
      [[{ role: "user", content: "x" }, { role: "user", content: "x" }], /alternate/],
      [[{ role: "user", content: "x" }, { role: "assistant", content: [USE] }], /tool_result/],
      [[{ role: "user", content: [RESULT] }], /unexpected tool_use_id/],
    ],
  },
  {
    ...CHAT,
    good: [{ role: "user", content: "x" }, { role: "user", content: "x" }],
    bad: [
      [[], /at least one/],
      [[{ role: "assistant", content: null }], /got null/],
      [[{ role: "assistant", tool_calls: [CALL] }], /did not have response/],
      [[{ role: "tool", tool_call_id: "a", content: "x" }], /preceding message/],
      [[{ role: "user", content: [] }], /expected a string or parts/],
    ],
  },
  {
    ...CHAT,
    path: "/mistral/v1/chat/completions",
    good: [{ role: "user", content: "x" }],
    bad: [
      [
        [
          { role: "assistant", content: "", tool_calls: [CALL] },
          { role: "tool", tool_call_id: CALL.id, content: "x" },
          { role: "user", content: "x" },
        ],
        /Unexpected role 'user' after role 'tool'/,
      ],
      [[{ role: "assistant", content: "x" }], /last role/],
    ],
  },
  {
    path: "/v1/responses",
    headers: {},
    fields: { model: "m", stream: true, store: false },
    content: "input",
    good: [{ role: "user", content: "x" }],
    bad: [
      [[], /Missing required parameter/],
      [[ITEM], /No tool output found/],
      [[{ type: "function_call_output", call_id: "a", output: "x" }], /No tool call found/],
      [[{ type: "reasoning", id: "rs_1", encrypted_content: "x" }], /required following item/],
      [[{ type: "reasoning", id: "rs_1" }, ITEM], /not stored/],
    ],
  },
  {
    path: "/v1beta/models/gemini-3-x:streamGenerateContent",
    headers: { "x-goog-api-key": "k" },
    fields: {},
    content: "contents",
    good: [{ role: "user", parts: [{ text: "x" }] }],
    bad: [
      [[], /not specified/],
      [[{ role: "user", parts: [] }], /must not be empty/],
      [[{ role: "model", parts: [{ text: "x" }] }], /alternate/],
      [
        [
          { role: "user", parts: [{ text: "x" }] },
          { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
        ],
        /thought_signature/,
      ],
      [
        [{ role: "user", parts: [{ functionResponse: { name: "f" } }] }],
        /number of function response parts/,
      ],
    ],
  },
] as const;

for (const { path, headers, fields, content, good, bad } of FORMATS) {
  Deno.test(`the scripted server refuses at ${path} what the real one refuses`, async () => {
    await using server = wireServer([{ text: "x" }]);
    const asked = async (value: unknown) => {
      const body = JSON.stringify({ ...fields, [content]: value });
      const response = await fetch(`${server.url}${path}`, { method: "POST", headers, body });
      return { status: response.status, text: await response.text() };
    };
    for (const [value, reason] of bad) {
      const { status, text } = await asked(value);
      assertEquals(status, 400);
      assertMatch(text, reason);
    }
    assertEquals((await asked(good)).status, 200);
    assertMatch((await asked(good)).text, /the script has 1 turns/);
  });
}
