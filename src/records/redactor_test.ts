import { assertEquals } from "@std/assert";
import { isRedactable, Redactor } from "./redactor.ts";

Deno.test("secrets are taken out of texts and of JSON, longer ones first", () => {
  const redactor = new Redactor(["sk-123456", "sk-123456-long", 'quote"\nand newline']);
  assertEquals(redactor.text("a sk-123456-long b sk-123456"), "a [redacted] b [redacted]");
  const value = { a: ['say quote"\nand newline'], "sk-123456": 1, n: null };
  assertEquals(redactor.json(value) as unknown, {
    a: ["say [redacted]"],
    "[redacted]": 1,
    n: null,
  });
});

Deno.test("what holds no secret is the same value, and short secrets are left", () => {
  const value = { a: "x1" };
  assertEquals(new Redactor(["x1", ""]).json(value), value);
  assertEquals(new Redactor(["another secret"]).json(value) === value, true);
});

Deno.test("a secret that is a word of events is left: without it they would be none", () => {
  for (const word of ["content", "message_added", "assistant", "tool_call"]) {
    assertEquals(isRedactable(word), false, word);
    const value = { type: "message_added", message: { role: "assistant", content: "x" } };
    assertEquals(new Redactor([word]).json(value), value);
  }
  for (const secret of ["hunter_two", "content1", "sk-content"]) {
    assertEquals(new Redactor([secret]).text(`a ${secret}`), "a [redacted]");
  }
});
