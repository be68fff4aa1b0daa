import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { z } from "zod";
import { defineTool, isTool } from "./tool.ts";

const greet = defineTool({
  description: "Greets.",
  input: z.object({
    name: z.string().describe("Whom to greet."),
    times: z.number().int().min(1).default(1),
  }),
  config: z.object({ word: z.string().default("hello") }),
  run: ({ name, times }, { config }) => `${config.word} ${name}`.repeat(times),
});

Deno.test("a tool's schema is what models get: defaults are optional, descriptions are kept", () => {
  assertEquals(greet.inputSchema, {
    type: "object",
    properties: {
      name: { type: "string", description: "Whom to greet." },
      times: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
    },
    required: ["name"],
  });
  assertEquals([isTool(greet), isTool({ ...greet }), isTool({}), isTool(null)], [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("wrong arguments are an error that names the argument", async () => {
  assertEquals(await greet.parseInput({ name: "you" }), { name: "you", times: 1 });
  await assertRejects(() => greet.parseInput({ name: 1 }), Error, "name");
  await assertRejects(() => greet.parseInput([]), Error, "object");
});

Deno.test("a configuration is checked and filled in", () => {
  assertEquals(greet.parseConfig(undefined), { word: "hello" });
  assertThrows(() => greet.parseConfig({ word: 1 }), Error, "word");
  const plain = defineTool({ description: "x", input: z.object({}), run: () => "" });
  assertEquals(plain.parseConfig(undefined), undefined);
  assertThrows(() => plain.parseConfig({}), Error, "takes no configuration");
});

Deno.test("JSON Schema is accepted, and its arguments are passed on", async () => {
  const input = { type: "object", properties: { a: { type: "string" } } } as const;
  const tool = defineTool({ description: "x", input, run: (value) => JSON.stringify(value) });
  assertEquals(tool.inputSchema, input);
  assertEquals(await tool.parseInput({ a: 1 }), { a: 1 });
  await assertRejects(() => tool.parseInput(null), Error, "object");
});

Deno.test("a definition that models could not use is refused with the reason", () => {
  const run = () => "";
  const define = (definition: unknown) => () =>
    defineTool(definition as Parameters<typeof defineTool>[0]); // wrong on purpose
  const input = z.object({});
  assertThrows(define({ description: " ", input, run }), TypeError, "description");
  assertThrows(define({ description: "x", input }), TypeError, "run");
  assertThrows(define({ description: "x", input: z.array(z.string()), run }), TypeError, "object");
  assertThrows(define({ description: "x", input: { _def: {} }, run }), TypeError, "zod 3");
  assertThrows(define({ description: "x", input: undefined, run }), TypeError, "zod object");
  const dated = z.object({ when: z.date() });
  assertThrows(define({ description: "x", input: dated, run }), Error, "Date");
});
