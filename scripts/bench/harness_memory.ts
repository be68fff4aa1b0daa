import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { type TestEnvironment, testEnvironment } from "../../tests/cli/environment.ts";
import type { Measured } from "./measured.ts";
import { median, spread } from "./samples.ts";
import { failure } from "./successful.ts";

const RUNS = 3;
/** The largest image that `view_image_file` takes. */
const IMAGE_BYTES = 5 * 1024 * 1024;
const OUTPUT_BYTES = 100_000_000;

/** A GIF's signature and size, 1 x 1 pixel, and its last two bytes. */
const GIF_START = String.raw`GIF89a\001\0\001\0`;
const GIF_END = String.raw`\0;`;

const TURNS = [
  call("bash", {
    command: `printf '${GIF_START}' >image.gif && truncate -s ${IMAGE_BYTES - 2} image.gif && ` +
      `printf '${GIF_END}' >>image.gif`,
  }),
  call("view_image_file", { file_path: "/workdir/image.gif" }),
  call("bash", { command: `yes karotte | head -c ${OUTPUT_BYTES}` }),
  { content: "done" },
];

/** The judge runs in the harness, and the kernel keeps the peak: nothing can be missed. */
const TASK = `
import { createTask, Judge, scoring } from "@karotte/cli/sdk";

class PeakOfMemory extends Judge {
  override evaluate() {
    const status = Deno.readTextFileSync("/proc/self/status");
    return scoring(Number(/^VmHWM:\\s*(\\d+) kB$/m.exec(status)[1]) * 1024);
  }
}

export default createTask({
  id: "probe",
  tools: ["bash", "view_image_file"],
  systemPrompt: null,
  steps: [{ instructions: "Go.", judge: new PeakOfMemory() }],
});`;

/** A large image and a very large output; the score is the harness's peak in bytes. */
export function memoryEnvironment(): Promise<TestEnvironment> {
  return testEnvironment({
    "fake_model.ts": `export const getMessages = () => ${JSON.stringify(TURNS)};`,
    "tasks/probe.ts": TASK,
  });
}

/** The harness's largest resident memory in a run with a large image and a very large output. */
export async function measureHarnessMemory(signal: AbortSignal): Promise<Measured> {
  await using environment = await memoryEnvironment();
  const peaks: number[] = [];
  for (let round = 0; round < RUNS; round++) {
    signal.throwIfAborted();
    peaks.push(await peakMegabytes(environment));
  }
  return {
    what: "harness memory at its peak, 5 MiB image, 100 MB output",
    value: median(peaks),
    unit: "MB",
    target: 160,
    detail: spread(peaks, "MB"),
  };
}

async function peakMegabytes(environment: TestEnvironment): Promise<number> {
  const result = await environment.run();
  if (result.code !== 0) throw failure("the harness's memory", result);
  const { events } = result;
  const peak = events.find((event) => event.type === "scoring")?.scoring.score;
  if (peak === undefined || !hasImage(events) || !hasCutOutput(events)) {
    throw new Error("The run whose memory is measured did not do what it should");
  }
  return peak / 1_000_000;
}

function hasImage(events: readonly TranscriptEvent[]): boolean {
  return events.some((event) =>
    event.type === "message_added" && Array.isArray(event.message.content) &&
    event.message.content.some((part) =>
      part.type === "image_url" && part.image_url.url.length > IMAGE_BYTES
    )
  );
}

function hasCutOutput(events: readonly TranscriptEvent[]): boolean {
  return events.some((event) =>
    event.type === "tool_call_completed" &&
    event.result.structuredContent?.system === "stdout was cut to 16000 characters."
  );
}

function call(name: string, input: Record<string, unknown>) {
  return { tool_calls: [{ function: { name, arguments: JSON.stringify(input) } }] };
}
