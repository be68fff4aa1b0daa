import { assertEquals } from "@std/assert";
import { THOUGHT_SIGNATURE } from "./wire/gemini.ts";
import { testTurns } from "./wire/turn_suite.ts";

testTurns("gemini", {
  id: "gemini/gemini-3.8-flash",
  reasoningIsBack: (body) =>
    assertEquals(body.contents[1].parts[1].thoughtSignature, THOUGHT_SIGNATURE),
});
