import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { run } from "../base/process.ts";
import { tempDir } from "../base/temp_dir.ts";
import { runConfigSchema } from "../schemas/run_config.ts";
import type { NewEvent, TranscriptEvent } from "../schemas/transcript.ts";
import { ArtifactStore } from "./artifact_store.ts";
import { claimOutputFiles } from "./output_files.ts";
import { listRuns, readRun, type ReadRunOptions } from "./read_run.ts";
import type { RecordedEvent } from "./recorded_events.ts";
import { Recorder } from "./recorder.ts";

const timestamp = "2026-01-02T03:04:05.678Z";
// It has all fields.
const timed = (event: NewEvent) => ({ timestamp, ...event }) as TranscriptEvent;

const started = (run_id: string): TranscriptEvent =>
  timed({
    type: "task_started",
    run_id,
    task_id: "t",
    model: "anthropic/claude-opus-5",
    n_steps: 1,
    reasoning_effort: null,
    use_hints: null,
  });

const scored = (score: number): TranscriptEvent =>
  timed({
    type: "scoring",
    scoring: { score, metadata: {}, continue_task: true },
    resource_metrics: null,
  });

const used = timed({
  type: "token_usage",
  input_tokens: 1_000_000,
  output_tokens: 10,
  cache_read_tokens: 4,
  cache_write_tokens: null,
  estimated: false,
  service_tier: null,
});

const whole = (run_id: string): TranscriptEvent[] => [
  started(run_id),
  timed({ type: "step_started", step: 0 }),
  used,
  used,
  scored(0.5),
  timed({ type: "step_completed", step: 0 }),
  timed({ type: "task_completed", status: "passed" }),
];

/** Records a run by the code that records runs; without `finish` it is one that was killed. */
async function record(
  directory: string,
  events: TranscriptEvent[],
  { finish = true, name = "r1" } = {},
) {
  const config = runConfigSchema.parse({ run_id: "r1", task_id: "t", model: "m" });
  const files = await claimOutputFiles(config, { directory, name });
  using recorder = new Recorder("r1", files);
  for (const event of events) await recorder.record(event);
  if (finish) await recorder.finish();
  return files;
}

/** What a folder's runs come to, a line each. */
async function listed(directory: string, options: ReadRunOptions = {}): Promise<string[]> {
  const lines: string[] = [];
  for await (const run of listRuns(directory, options)) {
    if (run.kind === "unreadable") lines.push(`${run.path.split("/").at(-1)}: ${run.reason}`);
    else {
      const { name, run_id, status, events, unreadable } = run.row;
      lines.push([name, run_id, status, events, ...unreadable].join(", "));
    }
  }
  return lines;
}

async function eventsOf(path: string, options: ReadRunOptions = {}): Promise<RecordedEvent[]> {
  const run = await readRun(path, options);
  if (run.kind === "unreadable") throw new Error(run.reason);
  return await Array.fromAsync(run.events());
}

const lines = (events: TranscriptEvent[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

Deno.test("a run that was recorded is read back, from its transcript and from its events", async () => {
  await using dir = await tempDir();
  const files = await record(dir.path, whole("r1"));
  const artifacts = new ArtifactStore(files.directory, "r1");
  const artifact = { number: 0, path: ["a.txt"], executable: false };
  await (await artifacts.open({ artifact })).close();
  const events = whole("r1").map((event) => ({ kind: "event" as const, event }));
  const runs = await Array.fromAsync(listRuns(files.directory, { priceOf: () => null }));
  assertEquals(runs.map((run) => run.kind === "run" ? run.row : run), [{
    name: "r1",
    run_id: "r1",
    task_id: "t",
    model: "anthropic/claude-opus-5",
    status: "passed",
    score: 0.5,
    step_scores: [{ step: 0, score: 0.5 }],
    spent: {
      input_tokens: 2_000_000,
      output_tokens: 20,
      cache_read_tokens: 8,
      cache_write_tokens: null,
      cost: null,
    },
    judged: null,
    started: timestamp,
    ended: timestamp,
    error: null,
    events: 7,
    unreadable: [],
    paths: {
      transcript: `${files.directory}/r1.json`,
      events: `${files.directory}/r1.events.ndjson`,
      artifacts: [`${files.directory}/r1_artifacts`],
    },
  }]);
  assertEquals(await eventsOf(files.eventsPath), events);
  assertEquals(await eventsOf(files.transcriptPath!), [
    { kind: "run_id", runId: "r1" },
    ...events,
  ]);
});

Deno.test("faults 2.6: what judges' questions took is read from their events", async () => {
  await using dir = await tempDir();
  const asked = (input_tokens: number | null, cost: number | null): TranscriptEvent => ({
    timestamp,
    type: "judge_usage",
    metadata: {
      ...{ model: "openai/gpt-5", criterion: null, question_sha256: "0", question: "?" },
      ...{ answer: "YES", input_tokens, output_tokens: input_tokens === null ? null : 2, cost },
      ...{ cache_read_tokens: null, cache_write_tokens: null },
    },
  });
  const judged = async (name: string, ...events: TranscriptEvent[]) => {
    const { transcriptPath } = await record(dir.path, [...whole(name).slice(0, -1), ...events], {
      name,
    });
    const run = await readRun(transcriptPath!);
    return run.kind === "run" ? run.row.judged : run.reason;
  };
  const none = { cache_read_tokens: null, cache_write_tokens: null };
  assertEquals(await judged("r1", asked(100, 0.25), asked(10, 0.5)), {
    ...{ input_tokens: 110, output_tokens: 4, cost: 0.75, ...none },
  });
  assertEquals(await judged("r2", asked(100, 0.25), asked(null, null)), {
    ...{ input_tokens: 100, output_tokens: 2, cost: null, ...none },
  });
});

Deno.test("the cost of a run is that of its model", async () => {
  await using dir = await tempDir();
  const { eventsPath } = await record(dir.path, whole("r1"), { finish: false });
  const asked: (string | null)[] = [];
  const costs = [];
  const price = { input: 3, output: 0, cache_read: 0, cache_write: 0, long_input: null };
  const priceOf = (model: string | null) => {
    asked.push(model);
    return price;
  };
  for (const options of [{ priceOf }, {}]) {
    const run = await readRun(eventsPath, options);
    costs.push(run.kind === "run" ? run.row.spent?.cost : undefined);
  }
  assertEquals(asked, ["anthropic/claude-opus-5", "anthropic/claude-opus-5"]);
  assertEquals(costs[0]?.toFixed(3), "6.000");
  assertEquals((costs[1] ?? 0) > 1, true, "the catalog has no price");
});

Deno.test("a killed run is read from its events, the half of its last line told", async () => {
  await using dir = await tempDir();
  const events = whole("r1").slice(0, 5);
  const { eventsPath, directory } = await record(dir.path, events, { finish: false });
  assertEquals(await listed(directory), ["r1, r1, running or killed, 5"]);
  await Deno.writeTextFile(eventsPath, '{"timestamp":"2026', { append: true });
  assertEquals(await listed(directory), [
    "r1, r1, running or killed, 5, the last line was cut off",
  ]);
  assertEquals((await eventsOf(eventsPath)).at(-1), {
    kind: "cut_off",
    reason: "the last line was cut off",
  });
  const run = await readRun(eventsPath);
  assertEquals(run.kind === "run" && [run.row.score, run.row.ended], [0.5, null]);
  // All of an event but the end of its line.
  await Deno.writeTextFile(eventsPath, lines(whole("r1")).trimEnd());
  assertEquals(await listed(directory), ["r1, r1, passed, 7"]);
});

Deno.test("a run that has no event yet is one", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(`${dir.path}/a.events.ndjson`, "");
  await Deno.writeTextFile(`${dir.path}/b.events.ndjson`, '{"timest');
  assertEquals(await listed(dir.path), [
    "a, , running or killed, 0",
    "b, , running or killed, 0, the last line was cut off",
  ]);
});

Deno.test("lines that are no events are told, and those around them read", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/r1.events.ndjson`;
  const encoder = new TextEncoder();
  const bad = [
    encoder.encode('{"type":"warning"\n'),
    new Uint8Array([0x22, 0xff, 0x22, 0x0a]),
    encoder.encode(`${JSON.stringify({ timestamp, type: "later", text: "\u001b[2J" })}\n`),
    encoder.encode(`"${"x".repeat(2000)}"\n`),
    encoder.encode(`${"[".repeat(900)}\n`),
    encoder.encode("\n"),
  ];
  await Deno.writeTextFile(path, lines(whole("r1").slice(0, 1)));
  for (const bytes of bad) await Deno.writeFile(path, bytes, { append: true });
  await Deno.writeTextFile(path, lines(whole("r1").slice(1)), { append: true });
  const entries = await eventsOf(path, { maxEventBytes: 1000 });
  const reasons = entries.flatMap((entry) => entry.kind === "unreadable" ? [entry.reason] : []);
  assertEquals(entries.filter(({ kind }) => kind === "event").length, 7);
  assertEquals(reasons.length, bad.length);
  assertEquals(reasons[1], "it is not UTF-8 text");
  assertEquals(reasons[2]?.startsWith("✖ Invalid"), true, reasons[2]);
  assertEquals(reasons[3], "an event above 1000 bytes");
  const unknown = entries.filter((entry) => entry.kind === "unreadable").at(2);
  assertEquals(unknown, {
    kind: "unreadable",
    reason: reasons[2]!,
    value: { timestamp, type: "later", text: "\u001b[2J" },
  });
  const run = await readRun(path, { maxEventBytes: 1000 });
  assertEquals(run.kind === "run" && [run.row.status, run.row.unreadable], ["passed", reasons]);
});

Deno.test("what has the name of a run and is none is a value with the reason", async () => {
  await using dir = await tempDir();
  const at = (name: string) => `${dir.path}/${name}`;
  await Deno.writeTextFile(at("config.json"), '{ "run_id": "r1", "task_id": "t" }');
  await Deno.writeTextFile(at("list.json"), "[1]");
  await Deno.writeTextFile(at("other.json"), '{ "events": [{ "a": 1 }] }');
  await Deno.writeTextFile(at("other.events.ndjson"), lines(whole("r2")));
  await Deno.writeFile(at("bytes.json"), new Uint8Array([0xff, 0xfe]));
  await Deno.writeTextFile(at("bad.events.ndjson"), "a\nb\n");
  await Deno.writeTextFile(at("notes.txt"), "");
  await Deno.writeTextFile(at("r3.json.1234.partial"), "");
  await Deno.mkdir(at("folder.json"));
  await run(["mkfifo", at("fifo.json")]);
  await Deno.symlink("/etc/passwd", at("link.json"));
  await Deno.symlink("nowhere", at("dangling.events.ndjson"));
  const found = await listed(dir.path);
  assertEquals(found.filter((line) => !line.startsWith("other.json:")), [
    `bad.events.ndjson: Unexpected token 'a', "a" is not valid JSON`,
    "bytes.json: not a transcript: no JSON object at byte 1",
    'config.json: not a transcript: it has no "events"',
    "dangling.events.ndjson: a link",
    "fifo.json: not a regular file",
    "link.json: a link",
    "list.json: not a transcript: no JSON object at byte 1",
    "other, r2, passed, 7",
  ]);
  assertEquals(found.filter((line) => line.startsWith("other.json: ✖")).length, 1);
  for (
    const [name, reason] of [
      ["folder.json", "not a regular file"],
      ["missing.json", "no such file"],
      ["notes.txt", "its name ends in neither .json nor .events.ndjson"],
    ]
  ) {
    const path = at(name!);
    assertEquals(await readRun(path), { kind: "unreadable", path, reason: reason! });
  }
  await assertRejects(
    () => Array.fromAsync(listRuns(at("missing"))),
    KarotteError,
    `Cannot read the runs in "${at("missing")}"`,
  );
});

Deno.test("a transcript that was cut off has the events before", async () => {
  await using dir = await tempDir();
  const { transcriptPath, directory } = await record(dir.path, whole("r1"));
  const text = await Deno.readTextFile(transcriptPath!);
  const end = text.indexOf('"step_completed"');
  await Deno.writeTextFile(transcriptPath!, text.slice(0, end));
  assertEquals(await listed(directory), ["r1, r1, running or killed, 5, the file was cut off"]);
});

Deno.test("a row is small, whatever a sandbox said", async () => {
  await using dir = await tempDir();
  const long = "x".repeat(100_000);
  const path = `${dir.path}/r1.events.ndjson`;
  const error: NewEvent = { type: "error", exception_type: long, message: long, traceback: null };
  const scores = Array.from({ length: 20_000 }, (_, index) => scored(index));
  // It has all fields.
  const first = { ...started(long), task_id: long, model: long } as TranscriptEvent;
  const bad = "x\n".repeat(100);
  await Deno.writeTextFile(path, lines([first, ...scores, used, timed(error)]) + bad);
  const run = await readRun(path);
  if (run.kind === "unreadable") throw new Error(run.reason);
  const { step_scores, unreadable, ...rest } = run.row;
  assertEquals([step_scores.length, unreadable.length, rest.score], [10_000, 20, 19_999]);
  assertEquals(rest.error?.message, `${"x".repeat(1999)}…`);
  assertEquals(JSON.stringify(rest).length < 20_000, true);
});

Deno.test("runs of one id have their artifacts listed in the order of their names", async () => {
  await using dir = await tempDir();
  for (const id of ["r1", "r1.2"]) {
    await Deno.writeTextFile(`${dir.path}/${id}.events.ndjson`, lines(whole("r1")));
  }
  for (const name of ["r1_artifacts", "r1_artifacts_3", "r12_artifacts", "r1_artifacts_x"]) {
    await Deno.mkdir(`${dir.path}/${name}`);
  }
  await Deno.symlink("/etc", `${dir.path}/r1_artifacts_2`);
  const run = await readRun(`${dir.path}/r1.2.events.ndjson`);
  assertEquals(run.kind === "run" && run.row.paths.artifacts, [
    `${dir.path}/r1_artifacts`,
    `${dir.path}/r1_artifacts_3`,
  ]);
});
