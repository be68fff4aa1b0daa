import { assertEquals } from "@std/assert";
import { testTurns } from "./wire/turn_suite.ts";

testTurns("mistral", {
  id: "mistral/mistral-large-4",
  reasoningIsBack: (body) =>
    assertEquals(body.messages[1].content[0].thinking, [{ type: "text", text: "I look first." }]),
});
