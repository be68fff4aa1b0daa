import { assertEquals, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import { BACKEND_TIMES, BackendClient } from "../../src/host/backend/client.ts";
import { BackendStream } from "../../src/host/backend/event_stream.ts";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { StubBackend } from "./stub.ts";

const timestamp = "2026-01-02T03:04:05.678Z";
const started: TranscriptEvent = {
  timestamp,
  type: "task_started",
  run_id: "r1",
  task_id: "t",
  model: "m",
  n_steps: 1,
  reasoning_effort: null,
  use_hints: true,
};
const stepStarted = (step: number): TranscriptEvent => ({ timestamp, type: "step_started", step });
const usage = (input_tokens: number, cache_read_tokens: number | null): TranscriptEvent => ({
  timestamp,
  type: "token_usage",
  input_tokens,
  output_tokens: 5,
  cache_read_tokens,
  cache_write_tokens: null,
  estimated: false,
  service_tier: null,
});
const scoring: TranscriptEvent = {
  timestamp,
  type: "scoring",
  scoring: { score: 0.5, metadata: {}, continue_task: true },
  resource_metrics: null,
};
const warning: TranscriptEvent = {
  timestamp,
  type: "warning",
  metadata: { warning: "ä \u2028 \ud83d half" },
};
const completed: TranscriptEvent = { timestamp, type: "task_completed", status: "passed" };
const LOSSES = [
  { left: 2, takesGaps: false },
  { left: 0, takesGaps: false },
  { left: undefined, takesGaps: false },
  { left: 5, takesGaps: false },
  { left: 2, takesGaps: true },
  { left: 0, takesGaps: true },
];
const events = [started, stepStarted(0), warning, usage(10, null), usage(7, 3), scoring, completed];

/** A run with a file of its own that streams to the backend of a test. */
class StreamedRun implements AsyncDisposable {
  readonly #controller = new AbortController();
  readonly #client: BackendClient;
  readonly #path: string;
  readonly stream: BackendStream;
  readonly clock = new FakeClock();
  readonly warnings: string[] = [];

  constructor(backend: StubBackend, options: { folder: string; attemptMs?: number }) {
    this.#path = `${options.folder}/${crypto.randomUUID()}.ndjson`;
    Deno.writeTextFileSync(this.#path, "");
    this.#client = new BackendClient({
      uri: backend.uri,
      runId: "r1",
      signal: this.#controller.signal,
      warn: (message) => this.warnings.push(message),
      tokenPath: `${options.folder}/token`,
      times: { ...BACKEND_TIMES, attemptMs: options.attemptMs ?? BACKEND_TIMES.attemptMs },
      clock: this.clock,
    });
    this.stream = new BackendStream({
      client: this.#client,
      eventsPath: this.#path,
      warn: (message) => this.warnings.push(message),
    });
  }

  record(event: TranscriptEvent): void {
    this.write(`${JSON.stringify(event)}\n`);
  }

  write(text: string): void {
    Deno.writeTextFileSync(this.#path, text, { append: true });
    this.stream.wake();
  }

  stop(): void {
    this.#controller.abort(new Error("stopped by the test"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.stream.finish();
    this.#client[Symbol.dispose]();
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 1_000 && !holds(); n++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assertEquals(holds(), true);
}

Deno.test("the backend gets each event in its slot, and the state of the run", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  events.forEach((event) => run.record(event));
  assertEquals(await run.stream.finish(), undefined);
  assertEquals(backend.problems, []);
  assertEquals(run.warnings, []);
  assertEquals(backend.events, JSON.parse(JSON.stringify(events)));
  const first = {
    status: "running",
    score: null,
    input_tokens: null,
    output_tokens: null,
    cache_read_tokens: null,
    cache_write_tokens: null,
  };
  assertEquals(backend.states, [
    first,
    { ...first, input_tokens: 10, output_tokens: 5 },
    { ...first, input_tokens: 17, output_tokens: 10, cache_read_tokens: 3 },
    { ...first, input_tokens: 17, output_tokens: 10, cache_read_tokens: 3, score: 0.5 },
    {
      ...first,
      status: "passed",
      input_tokens: 17,
      output_tokens: 10,
      cache_read_tokens: 3,
      score: 0.5,
    },
  ]);
});

Deno.test("events are sent while the run goes on, and half a line waits for its rest", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  run.record(started);
  await until(() => backend.events?.length === 1);
  const line = JSON.stringify({ ...warning, metadata: { warning: "x".repeat(200_000) } });
  run.write(line.slice(0, 70_000));
  run.write(`${line.slice(70_000)}\n${JSON.stringify(completed).slice(0, 10)}`);
  await until(() => backend.events?.length === 2);
  run.write(`${JSON.stringify(completed).slice(10)}\n`);
  assertEquals(await run.stream.finish(), undefined);
  assertEquals(backend.events?.[1], JSON.parse(line));
  assertEquals(backend.events?.[2], { ...completed });
  assertEquals(backend.problems, []);
});

Deno.test("a run without events, or one that failed before its task, is no trouble", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using silent = new StreamedRun(backend, { folder: dir.path });
  assertEquals(await silent.stream.finish(), undefined);
  assertEquals(backend.calls, []);
  await using failed = new StreamedRun(backend, { folder: dir.path });
  failed.record({ timestamp, type: "task_completed", status: "error" });
  assertEquals(await failed.stream.finish(), undefined);
  assertEquals(backend.states.at(-1)?.["status"], "error");
});

Deno.test("calls that fail with 5xx are tried again, with pauses of 10 s at the most", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  backend.fail("transcript_length", { status: 502 });
  backend.fail("create_transcript", { status: 503, body: "<h1>busy</h1>" });
  backend.fail("append_transcript", ...Array(8).fill({ status: 500, body: "oh \x1b[2J no" }));
  backend.fail("update_run_state", { status: 500 });
  events.forEach((event) => run.record(event));
  assertEquals(await run.stream.finish(), undefined);
  assertEquals(backend.events?.length, events.length);
  assertEquals(backend.problems, []);
  assertEquals(run.clock.sleeps.length, 11);
  assertEquals(run.clock.sleeps.every((pause) => pause > 0 && pause <= 10_000), true);
  assertEquals(run.warnings.length, 1);
  assertStringIncludes(run.warnings[0] ?? "", 'Cannot call "append_transcript" of the backend');
  assertStringIncludes(run.warnings[0] ?? "", "it answered 500: oh [2J no");
});

Deno.test("a connection that breaks after the request was read doubles no event", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  backend.fail("create_transcript", "do and break");
  backend.fail("append_transcript", "do and break", "break", "do and break");
  backend.fail("update_run_state", "do and break");
  events.forEach((event) => run.record(event));
  assertEquals(await run.stream.finish(), undefined);
  assertEquals(backend.events?.length, events.length);
  assertEquals(backend.events, JSON.parse(JSON.stringify(events)));
  assertEquals(backend.problems, []);
});

Deno.test("an answer that does not come is not waited for", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path, attemptMs: 300 });
  backend.fail("transcript_length", "hang");
  backend.fail("append_transcript", "hang", "hang");
  events.forEach((event) => run.record(event));
  assertEquals(await run.stream.finish(), undefined);
  assertEquals(backend.events?.length, events.length);
  assertEquals(backend.problems, []);
});

Deno.test("a run of the same id writes over the slots of the earlier one", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  backend.events = Array.from({ length: 4 }, (_, slot) => ({ type: "old", slot }));
  await using run = new StreamedRun(backend, { folder: dir.path });
  events.forEach((event) => run.record(event));
  assertEquals(await run.stream.finish(), undefined);
  assertEquals(backend.count("create_transcript"), 0);
  assertEquals(backend.events?.map(({ type }) => type), events.map(({ type }) => type));
  assertEquals(backend.problems, []);
});

Deno.test("a backend that came back with less gets the missing events again", async () => {
  for (const { left, takesGaps } of LOSSES) {
    await using dir = await tempDir();
    await using backend = new StubBackend();
    await using run = new StreamedRun(backend, { folder: dir.path });
    const steps = [0, 1, 2, 3, 4, 5].map(stepStarted);
    steps.slice(0, 5).forEach((event) => run.record(event));
    await until(() => backend.events?.length === 5);
    backend.lose(left);
    backend.takesGaps = takesGaps;
    backend.fail("append_transcript", { status: 503 });
    [...steps.slice(5), completed].forEach((event) => run.record(event));
    assertEquals(await run.stream.finish(), undefined);
    assertEquals(backend.events, JSON.parse(JSON.stringify([...steps, completed])));
    assertEquals(backend.problems, []);
  }
});

Deno.test("what the backend refuses ends the stream, not the run", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  run.record(started);
  await until(() => backend.states.length === 1);
  backend.fail("append_transcript", { status: 403, body: '{"detail":"not yours"}' });
  run.record(stepStarted(0));
  run.record(completed);
  const fault = await run.stream.finish();
  assertStringIncludes(fault ?? "", "The backend does not have the whole run");
  assertStringIncludes(fault ?? "", 'it answered 403: {"detail":"not yours"}');
  assertStringIncludes(fault ?? "", "no token was sent");
  assertEquals(run.warnings, [fault]);
  assertEquals(backend.count("append_transcript"), 2);
});

Deno.test("a slot that is refused is never passed over, whatever an earlier run left there", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  backend.events = Array.from({ length: 9 }, (_, slot) => ({ type: "old", slot }));
  backend.fail("append_transcript", { status: 409, body: "taken" });
  await using run = new StreamedRun(backend, { folder: dir.path });
  run.record(started);
  assertStringIncludes(await run.stream.finish() ?? "", "it answered 409: taken");
});

Deno.test("a backend that knows no warnings is not sent them", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  backend.fail("append_transcript", { status: 422 });
  [warning, started, warning, completed].forEach((event) => run.record(event));
  assertEquals(await run.stream.finish(), undefined);
  assertEquals(backend.events, JSON.parse(JSON.stringify([started, completed])));
  assertEquals(backend.problems, []);
});

Deno.test("a backend that stays away is given up after its time", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  backend.fail("transcript_length", ...Array(1_000).fill({ status: 503 }));
  run.record(started);
  const fault = await run.stream.finish();
  assertStringIncludes(fault ?? "", 'Cannot call "transcript_length"');
  assertStringIncludes(fault ?? "", "it answered 503 (tried ");
  const slept = run.clock.sleeps.reduce((sum, pause) => sum + pause, 0);
  assertEquals(slept > 24 * 60_000 && slept <= 25 * 60_000, true);
});

Deno.test("an interrupt ends what is under way", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  await using run = new StreamedRun(backend, { folder: dir.path });
  backend.fail("append_transcript", "hang");
  run.record(started);
  await until(() => backend.count("append_transcript") === 1);
  run.stop();
  assertStringIncludes(await run.stream.finish() ?? "", "stopped by the test");
});
