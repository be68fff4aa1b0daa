import { assertEquals } from "@std/assert";
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
