import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { readEvents, testEnvironment } from "../../tests/cli/environment.ts";
import type { Measured } from "./measured.ts";
import { median, spread } from "./samples.ts";
import { successful } from "./successful.ts";

/** Steps that are measured in one run, each with a process of the student's to end. */
const STEPS = 8;

/** The end of the student's part of a step, which leaves a few files, and one that leaves many. */
export async function measureStepEnd(): Promise<Measured[]> {
  return [
    await measureFiles({ files: 1_000, target: 60, isSubmitted: true }),
    // Shown beside it: the walk is what grows.
    await measureFiles({ files: 100_000, target: 2_000, isSubmitted: false }),
  ];
}

async function measureFiles(
  { files, target, isSubmitted }: { files: number; target: number; isSubmitted: boolean },
): Promise<Measured> {
  const folders = Math.ceil(files / 100);
  await using environment = await testEnvironment({
    "fake_model.ts": `export const getMessages = () => ${JSON.stringify(messages(folders))};\n`,
    "tasks/probe.ts": `
      import { AlwaysPassJudge, createTask } from "@karotte/cli/sdk";
      const submissionPaths = ${isSubmitted} ? ["/workdir/files"] : [];
      const step = { instructions: "Go.", judge: new AlwaysPassJudge(), submissionPaths };
      const steps = Array(${STEPS}).fill(step);
      export default createTask({ id: "probe", tools: ["bash"], systemPrompt: null, steps });`,
  });
  // Keeping artifacts is not collecting: it sends every file to the host.
  const config = { run_id: "r1", task_id: "probe", use_fake_model: true, save_artifacts: false };
  await environment.write("/config.json", JSON.stringify(config));
  const args = ["run", "--config", "config.json", "--runtime", "bubblewrap"];
  await successful(args, { cwd: environment.path });
  const times = stepEnds(await readEvents(environment.path));
  const what = `end of a step: processes, ${
    isSubmitted ? "submissions, " : ""
  }links (${files} files)`;
  return { what, value: median(times), unit: "ms", target, detail: spread(times, "ms") };
}

/** In each step something goes on in the background; the first one makes the files. */
function messages(folders: number): unknown[] {
  const make = `for i in $(seq ${folders}); do mkdir -p files/$i; touch files/$i/{1..99}; done; `;
  return Array.from({ length: STEPS }, (_, step) => {
    const command = `${step === 0 ? make : ""}sleep 1000 &`;
    const call = { function: { name: "bash", arguments: JSON.stringify({ command }) } };
    return [{ tool_calls: [call] }, { content: "done" }];
  }).flat();
}

/** Milliseconds from a step's last message to its score, but for the first step. */
function stepEnds(events: readonly TranscriptEvent[]): number[] {
  let last = 0;
  const times: number[] = [];
  for (const { type, timestamp } of events) {
    if (type === "message_added") last = Date.parse(timestamp);
    if (type === "scoring") times.push(Date.parse(timestamp) - last);
  }
  return times.slice(1);
}
