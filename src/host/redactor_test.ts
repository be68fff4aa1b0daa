import { assertEquals } from "@std/assert";
import { Redactor } from "./redactor.ts";

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
