import { assertEquals, assertThrows } from "@std/assert";
import { BrokenStreamError } from "./broken_stream.ts";
import { finishReasonOf } from "./finish_reason.ts";

Deno.test("reasons that packages don't know are put into OpenAI's words", () => {
  const other = (raw: string) => finishReasonOf({ unified: "other", raw });
  assertEquals(finishReasonOf({ unified: "content-filter", raw: "refusal" }), "content_filter");
  assertEquals(other("model_length"), "length");
  assertEquals(other("max_tokens"), "length");
  assertEquals(other("sensitive"), "content_filter");
  assertEquals(other("tool_use"), "tool_calls");
  assertEquals(other("eos"), "stop");
});

Deno.test("faults 3.7: a pause and a full context are no end like any other", () => {
  const stop = (raw: string) => finishReasonOf({ unified: "stop", raw });
  assertEquals([stop("end_turn"), stop("pause_turn")], ["stop", "pause_turn"]);
  const raw = "model_context_window_exceeded";
  assertEquals(finishReasonOf({ unified: "length", raw }), raw);
});

Deno.test("no reason, or one that is a failure, is a broken stream", () => {
  for (
    const reason of [
      { unified: "other", raw: undefined },
      { unified: "error", raw: "MALFORMED_FUNCTION_CALL" },
      { unified: "error", raw: undefined },
      { unified: "other", raw: "UNEXPECTED_TOOL_CALL" },
      { unified: "other", raw: "error" },
    ] as const
  ) {
    assertThrows(() => finishReasonOf(reason), BrokenStreamError);
  }
});
