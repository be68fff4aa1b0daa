import { assertEquals } from "@std/assert";
import type { LinkReport } from "../../schemas/step_end.ts";
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

Deno.test("what ended before scoring is told where one listened", () => {
  const sleeping = { name: "sleep", age_seconds: 1, listening: [] };
  const server = { name: "python3", age_seconds: 1, listening: ["127.0.0.1:8000"] };
  const ended = (...processes: (typeof server | typeof sleeping)[]) =>
    shown({
      type: "student_processes_ended",
      metadata: { count: processes.length, processes, other_listening: [] },
    });
  assertEquals(ended(sleeping), []);
  assertEquals(ended(server, sleeping), [
    "  2 processes of the student ended before scoring, one listens on 127.0.0.1:8000: " +
    "keepProcesses: true on the step keeps them",
  ]);
  assertEquals(ended(server, server)[0]?.includes("2 listen on 127.0.0.1:8000 and 1 more"), true);
});

Deno.test("links and pipes that were found are told, and a walk that was not made is not", () => {
  const none = { count: 0, files: [] };
  const report = { walked: true, reason: null, entries: 2, into_root_places: none, removed: none };
  const links = (more: Partial<LinkReport>) =>
    shown({ type: "student_links", metadata: { ...report, ...more } });
  assertEquals(links({ walked: false, reason: "keepProcesses" }), []);
  const file = { path: "/workdir/a\u001b", kind: "link", target: "/root_data/x" } as const;
  assertEquals(links({ into_root_places: { count: 1, files: [file] } }), [
    "  the student left a link into a place of root's: /workdir/a␣ -> /root_data/x",
  ]);
  const pipe = { path: "/tmp/p", kind: "pipe", target: null } as const;
  assertEquals(links({ removed: { count: 3, files: [pipe] } }), [
    "  removed before scoring: 3 pipes and links, the first is /tmp/p",
  ]);
});

Deno.test("faults 2.4: a step's line says that the limit of memory was reached in it", () => {
  const event = (memory_limit_kills: number): NewEvent => ({
    type: "scoring",
    scoring: { score: 0.5, metadata: {}, continue_task: true },
    resource_metrics: {
      samples: [],
      ...{ peak_cpu_percent: 1, avg_cpu_percent: 1, peak_memory_mb: 1, avg_memory_mb: 1 },
      memory_limit_bytes: 5000,
      memory_limit_kills,
    },
  });
  assertEquals(shown(event(0)), ["  score 0.5"]);
  assertEquals(shown(event(2)), [
    "  score 0.5 (the memory limit of 5000 bytes was reached: 2 process(es) killed)",
  ]);
});
