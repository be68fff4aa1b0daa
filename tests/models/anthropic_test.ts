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
