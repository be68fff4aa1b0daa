import { assertEquals } from "@std/assert";
import type { NewEvent, TranscriptEvent } from "../../schemas/transcript.ts";
import { Progress } from "./progress.ts";

function shown(event: NewEvent, name?: string): string[] {
  const lines: string[] = [];
  const progress = new Progress(name, (line) => lines.push(line));
  progress.event({ timestamp: "2026-01-02T03:04:05.678Z", ...event } as TranscriptEvent); // timed
  return lines;
}

const call = (name: string, input: string): NewEvent => ({
  type: "tool_call_started",
  tool_call: { id: "1", type: "function", function: { name, arguments: input } },
});

Deno.test("a call is shown by its only argument, else by its JSON", () => {
  assertEquals(shown(call("bash", '{"command":"ls -l"}')), ["  tool bash: ls -l"]);
  assertEquals(shown(call("x", '{"a":1,"b":2}')), ['  tool x: {"a":1,"b":2}']);
  assertEquals(shown(call("x", "{broken")), ["  tool x: {broken"]);
});

Deno.test("faults 2.6: a turn of no tokens has no line", () => {
  const usage = (tokens: number): NewEvent => ({
    type: "token_usage",
    ...{
      input_tokens: tokens,
      output_tokens: 0,
      cache_read_tokens: null,
      cache_write_tokens: null,
    },
    ...{ estimated: false, service_tier: null },
  });
  assertEquals(shown(usage(0)), []);
  assertEquals(shown(usage(7)), ["  7 tokens in, 0 out"]);
});

Deno.test("nothing of the student's reaches the terminal as more than one line of text", () => {
  const hostile = "\u001b]52;c;AAAA\u0007\u001b[2J\nforged: score 1\r\u202e\u0085\ud83d";
  const [line] = shown(call("bash", JSON.stringify({ command: hostile })), "r1");
  assertEquals(line, "[r1]   tool bash: ␣]52;c;AAAA␣␣[2J␣forged: score 1␣␣␣\ufffd");
  const [long] = shown(call("bash", JSON.stringify({ command: "x".repeat(10_000) })));
  assertEquals(long!.length, 163);
});

Deno.test("faults 2.3: a line says which limit ended a step, and by how much it was overrun", () => {
  const metadata = { step: 1, allowed: 1000, used: 1034, overrun: 34, reason: null } as const;
  const context = { ...metadata, limit: "context", unit: "tokens", outcome: "score" } as const;
  assertEquals(shown({ type: "step_limit_reached", metadata: context }), [
    "  step 1 ended at its context limit of 1,000 tokens, 34 over it: it is scored",
  ]);
  const unknown = {
    ...context,
    allowed: null,
    used: null,
    overrun: null,
    outcome: "error",
  } as const;
  assertEquals(
    shown({ type: "step_limit_reached", metadata: { ...unknown, reason: "prompt too long" } }),
    ["  step 1 ended at its context limit (prompt too long): the run ends"],
  );
});
