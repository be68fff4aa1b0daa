import { dirname } from "@std/path";
import { removeIfThere } from "../../src/base/temp_dir.ts";
import { type TranscriptEvent, transcriptSchema } from "../../src/schemas/transcript.ts";
import { makeOwn } from "../support/own_folder.ts";
import { karotte, type Said } from "./karotte.ts";

/** A folder with an environment in it. */
export interface TestEnvironment extends AsyncDisposable {
  readonly path: string;
  /** Runs the environment's only task with its fake model. */
  run(env?: Readonly<Record<string, string>>): Promise<RunResult>;
  write(file: string, content: string): Promise<void>;
}

export interface RunResult extends Said {
  readonly events: readonly TranscriptEvent[];
}

const CONFIG = JSON.stringify({
  imports: { "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk" },
});

/**
 * Writes an environment that is the user's own; files are relative to `src/environment` unless they
 * start with `/`.
 */
export async function testEnvironment(
  files: Readonly<Record<string, string>>,
): Promise<TestEnvironment> {
  const path = await Deno.makeTempDir({ prefix: "karotte-environment-" });
  const write = async (file: string, content: string) => {
    const place = file.startsWith("/") ? `${path}${file}` : `${path}/src/environment/${file}`;
    await Deno.mkdir(dirname(place), { recursive: true });
    await Deno.writeTextFile(place, content);
  };
  await write("/deno.json", CONFIG);
  for (const [file, content] of Object.entries(files)) await write(file, content);
  if (files["/karotte.plugins.json"] !== undefined || files["/deno.json"] !== undefined) {
    await makeOwn(path);
  }
  return {
    path,
    write,
    async run(env = {}) {
      const args = ["run", "--task", "probe", "--fake-model", "--run-id", "r1"];
      const said = await karotte(args, { cwd: path, env });
      return { ...said, events: await readEvents(path) };
    },
    async [Symbol.asyncDispose]() {
      await removeIfThere(path);
    },
  };
}

/** The events of run `r1`; none if there is no transcript. */
export async function readEvents(path: string): Promise<readonly TranscriptEvent[]> {
  try {
    const text = await Deno.readTextFile(`${path}/out/r1.json`);
    return transcriptSchema.parse(JSON.parse(text)).events;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** `fake_model.ts`: each command is a call of `bash`, one a turn; then the student is done. */
export function bashScript(...commands: readonly string[]): string {
  const turns = commands.map((command) => ({
    tool_calls: [{ function: { name: "bash", arguments: JSON.stringify({ command }) } }],
  }));
  return `export const getMessages = () => ${JSON.stringify([...turns, { content: "done" }])};\n`;
}

export interface ProbeTaskOptions {
  /** Source of what the judge needs. */
  readonly before?: string;
  /** Source of more fields of the task. */
  readonly fields?: string;
  /** Source of more fields of its step. */
  readonly step?: string;
}

/** `tasks/probe.ts`: one step, `bash`, and the judge that an expression makes. */
export function probeTask(
  judge: string,
  { before = "", fields = "", step = "" }: ProbeTaskOptions = {},
) {
  return `
    import * as sdk from "@karotte/cli/sdk";
    const { AlwaysPassJudge, createTask, ExecutableJudge, Judge, scoring } = sdk;
    ${before}
    export default createTask({
      id: "probe",
      tools: ["bash"],
      systemPrompt: null,
      steps: [{ instructions: "Go.", judge: ${judge}, ${step} }],
      ${fields}
    });`;
}

/** What the calls of `bash` returned, in order. */
export function bashResults(events: readonly TranscriptEvent[]): Record<string, unknown>[] {
  return events.flatMap((event) =>
    event.type === "tool_call_completed" && event.result.structuredContent
      ? [event.result.structuredContent]
      : []
  );
}
