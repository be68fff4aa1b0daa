import { assertEquals } from "@std/assert";
import { testTurns } from "./wire/turn_suite.ts";

testTurns("chat completions", {
  id: "deepseek/deepseek-v4-pro",
  reasoningIsBack: (body) => assertEquals(body.messages[1].reasoning_content, "I look first."),
});
