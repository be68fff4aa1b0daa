import { runConfigSchema } from "../../src/schemas/run_config.ts";
import { type Message, message } from "../../src/schemas/message.ts";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { ProtectedStore } from "../../src/sdk/protected_store.ts";
import type { RunContext } from "../../src/sdk/run_context.ts";
import type { Student } from "../../src/sdk/student.ts";
import { Transcript } from "../../src/sdk/transcript.ts";

export interface FakeContextOptions {
  readonly signal?: AbortSignal;
  readonly variables?: RunContext["variables"];
  /** Plays the judge's model; absent: there is none. */
  readonly askJudge?: RunContext["askJudge"];
  /** The copies of the step's submissions by their paths; absent: it has none. */
  readonly submissions?: Readonly<Record<string, string | undefined>>;
  /** Takes warnings; absent: none is expected. */
  readonly warn?: RunContext["warn"];
}

/** For tests of judges: a run without a sandbox; scripts are shell scripts at their own path. */
export function fakeContext(options: FakeContextOptions = {}): RunContext {
  const absent = () => Promise.reject(new Error("there is no student in this test"));
  const { submissions = {} } = options;
  const student: Student = {
    uid: 1000,
    home: "/workdir",
    run: absent,
    readFile: absent,
    writeFile: absent,
    killAll: absent,
  };
  return {
    config: runConfigSchema.parse({ run_id: "r", task_id: "t", model: "fake/scripted" }),
    signal: options.signal ?? new AbortController().signal,
    student,
    store: new ProtectedStore("/nonexistent"),
    submission(path) {
      if (Object.hasOwn(submissions, path)) return submissions[path];
      throw new TypeError(`"${path}" is not in the step's submissionPaths`);
    },
    variables: options.variables ?? {},
    saveSubmission: absent,
    deleteFiles: absent,
    saveArtifact: absent,
    submitAnswers: absent,
    askJudge: options.askJudge ??
      (() => Promise.reject(new Error("there is no model in this test"))),
    warn: options.warn ?? absent,
    scriptCommand: (script, args = []) => ["sh", script, ...args],
  };
}

/** A transcript of nothing but these messages. */
export function fakeTranscript(...contents: Message["content"][]): Transcript {
  const events = contents.map((content): TranscriptEvent => ({
    timestamp: "2026-01-01T00:00:00Z",
    type: "message_added",
    message: message({ role: "user", content }),
    finish_reason: null,
    raw: null,
  }));
  return new Transcript("r", events);
}
