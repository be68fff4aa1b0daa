import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { runConfigSchema } from "../schemas/run_config.ts";
import type { TranscriptEvent } from "../schemas/transcript.ts";
import { claimOutputFiles } from "./output_files.ts";
import { Recorder } from "./recorder.ts";
import { Redactor } from "./redactor.ts";

const timestamp = "2026-01-02T03:04:05.678Z";
const stepStarted = (step: number): TranscriptEvent => ({ timestamp, type: "step_started", step });

async function recorderIn(directory: string) {
  const config = runConfigSchema.parse({ run_id: "r1", task_id: "t", model: "m" });
  const files = await claimOutputFiles(config, { directory, name: "r1" });
  return { recorder: new Recorder("r1", files), files };
}

Deno.test("an event is on disk when it is acknowledged", async () => {
  await using dir = await tempDir();
  const { recorder, files } = await recorderIn(dir.path);
  using _ = recorder;
  await recorder.record(stepStarted(0));
  assertEquals(
    await Deno.readTextFile(files.eventsPath),
    `${JSON.stringify(stepStarted(0))}\n`,
  );
});

Deno.test("the transcript is the original's shape, byte for byte as JSON.stringify would", async () => {
  await using dir = await tempDir();
  const { recorder } = await recorderIn(dir.path);
  using _ = recorder;
  const events: TranscriptEvent[] = [
    stepStarted(0),
    { timestamp, type: "warning", metadata: { warning: 'lines\nand "quotes" \u2028 \ud83d half' } },
    { timestamp, type: "task_completed", status: "passed" },
  ];
  await Promise.all(events.map((event) => recorder.record(event)));
  const path = await recorder.finish();
  const text = await Deno.readTextFile(path!);
  assertEquals(text, `${JSON.stringify({ run_id: "r1", events }, null, 2)}\n`);
  assertEquals(JSON.parse(text), { run_id: "r1", events });
});

Deno.test("a full disk is an error that names the file, and what was written stays", async () => {
  await using dir = await tempDir();
  const { files } = await recorderIn(dir.path);
  files.events.close();
  // The device that is always full stands for the disk.
  using recorder = new Recorder(
    "r1",
    { ...files, events: await Deno.open("/dev/full", { write: true, read: true }) },
  );
  const error = await assertRejects(() => recorder.record(stepStarted(0)), KarotteError);
  assertStringIncludes(error.message, `Cannot write "${files.eventsPath}": No space left`);
});

Deno.test("after a write that failed the file has whole events only, and how the run ended", async () => {
  await using dir = await tempDir();
  const { recorder, files } = await recorderIn(dir.path);
  using _ = recorder;
  await recorder.record(stepStarted(0));
  const write = files.events.write.bind(files.events);
  let calls = 0;
  // Half of it fits.
  files.events.write = (bytes) => {
    if (calls++ > 0) return Promise.reject(new Error("No space left on device"));
    return write(bytes.subarray(0, 20));
  };
  const failing = recorder.record(stepStarted(1));
  const queued = recorder.record(stepStarted(2));
  await assertRejects(() => failing, KarotteError, "No space left");
  await assertRejects(() => queued, KarotteError, "No space left");
  files.events.write = write;
  await assertRejects(() => recorder.record(stepStarted(3)), KarotteError, "No space left");
  await recorder.recordNew({ type: "task_completed", status: "error" });
  const lines = (await Deno.readTextFile(files.eventsPath)).trimEnd().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line).type), ["step_started", "task_completed"]);
  const transcript = JSON.parse(await Deno.readTextFile((await recorder.finish())!));
  assertEquals(transcript.events.length, 2);
});

Deno.test("the summary has the step scores, the status and the error", async () => {
  await using dir = await tempDir();
  const { recorder } = await recorderIn(dir.path);
  using _ = recorder;
  const score = (score: number) => ({
    timestamp,
    type: "scoring" as const,
    scoring: { score, metadata: {}, continue_task: true },
    resource_metrics: null,
  });
  await recorder.record(stepStarted(0));
  await recorder.record(score(0.5));
  await recorder.record(stepStarted(1));
  await recorder.record(score(2));
  await recorder.recordNew({ type: "error", exception_type: "X", message: "y", traceback: null });
  await recorder.recordNew({ type: "task_completed", status: "error" });
  assertEquals(recorder.summary.stepScores, [{ step: 0, score: 0.5 }, { step: 1, score: 2 }]);
  assertEquals(recorder.summary.score, 2);
  assertEquals(recorder.summary.status, "error");
  assertEquals(recorder.summary.error, { type: "X", message: "y" });
});

Deno.test("secrets never reach the disk", async () => {
  await using dir = await tempDir();
  const { files } = await recorderIn(dir.path);
  const redactor = new Redactor(["sk-very-secret"]);
  using recorder = new Recorder("r1", files, { redactor });
  await recorder.record({
    timestamp,
    type: "warning",
    metadata: { warning: "it said sk-very-secret" },
  });
  assertStringIncludes(await Deno.readTextFile(files.eventsPath), '"it said [redacted]"');
});
