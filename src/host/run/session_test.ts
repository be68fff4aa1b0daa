import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ChannelError } from "../../base/rpc_peer.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { VERSION } from "../../base/version.ts";
import { ModelFailure } from "../../protocol/model_failure.ts";
import { message } from "../../schemas/message.ts";
import { runConfigSchema } from "../../schemas/run_config.ts";
import type { TranscriptEvent } from "../../schemas/transcript.ts";
import { ArtifactStore } from "../../records/artifact_store.ts";
import { Conversation } from "../models/conversation.ts";
import { type JudgeSource, RunAnswers, type StudentSource } from "../models/run_answers.ts";
import { claimOutputFiles } from "../../records/output_files.ts";
import { Recorder } from "../../records/recorder.ts";
import { Redactor } from "../../records/redactor.ts";
import { type FakeHarness, fakeSandbox } from "../../../tests/support/fake_sandbox.ts";
import { InterruptedError, runSession, SandboxDiedError } from "./session.ts";
import { SandboxStuckError, type WatchdogTimes } from "./watchdog.ts";

const config = runConfigSchema.parse({ run_id: "r1", task_id: "t", model: "m" });
const completed = {
  timestamp: "2026-01-02T03:04:05.678Z",
  type: "task_completed" as const,
  status: "passed" as const,
};

interface Setup {
  play(far: FakeHarness): Promise<unknown>;
  signal?: AbortSignal;
  times?: Partial<WatchdogTimes>;
  version?: string;
  scoringLimitSeconds?: number;
  student?: StudentSource;
  judge?: JudgeSource;
  turnLimit?: number;
}

async function session(setup: Setup): Promise<TranscriptEvent[]> {
  await using dir = await tempDir();
  const files = await claimOutputFiles(config, { directory: dir.path, name: "r1" });
  const recorded: TranscriptEvent[] = [];
  const conversation = new Conversation();
  const redactor = new Redactor(["sk-secret"]);
  using recorder = new Recorder("r1", files, {
    redactor,
    onEvent: (event) => {
      recorded.push(event);
      conversation.add(event);
    },
  });
  const { sandbox, far } = fakeSandbox(setup.version ?? VERSION);
  const playing = setup.play(far);
  playing.catch(() => {}); // a harness may break off when its session has ended
  await runSession({
    sandbox,
    start: { config, variables: {}, withheld: [], reasoning_effort: null },
    answers: new RunAnswers(conversation, {
      student: setup.student ?? { nextTurn: () => Promise.reject(new Error("no model")) },
      judge: setup.judge ?? { answer: () => Promise.reject(new Error("no model")) },
      turnLimit: setup.turnLimit ?? null,
      redactor,
    }),
    record: (event) => recorder.record(event),
    artifacts: new ArtifactStore(dir.path, "r1"),
    scoringLimitSeconds: setup.scoringLimitSeconds ?? 600,
    signal: setup.signal ?? new AbortController().signal,
    times: { intervalMs: 5, pingMs: 5, silenceMs: 60_000, scoringGraceMs: 0, ...setup.times },
  });
  return recorded;
}

async function finish({ peer, exit }: FakeHarness, events: number): Promise<void> {
  await peer.request("finish", { events });
  exit({ code: 0, exhausted: false });
}

Deno.test("a session records events in order and ends with the harness's last message", async () => {
  const events = await session({
    async play(far) {
      await far.started;
      const started = { ...completed, type: "step_started", step: 0 };
      const answers = [
        await far.peer.send("event", { seq: 0, event: started }),
        await far.peer.send("event", { seq: 1, event: completed }),
      ];
      await Promise.all(answers.map(({ answer }) => answer));
      await finish(far, 2);
    },
  });
  assertEquals(events.map(({ type }) => type), ["step_started", "task_completed"]);
});

Deno.test("a malformed event, a NaN score among them, ends the session by name", async () => {
  const scoring = { score: NaN, metadata: {}, continue_task: true };
  const malformed = [
    { ...completed, type: "scoring", scoring, resource_metrics: null },
    { ...completed, status: "won" },
    { ...completed, timestamp: "today" },
    null,
  ];
  for (const event of malformed) {
    await assertRejects(
      () =>
        session({
          async play({ started, peer }) {
            await started;
            await peer.request("event", { seq: 0, event });
          },
        }),
      Error,
      "malformed event",
    );
  }
});

Deno.test("faults 2.6: what a judge's question took is no sandbox's to tell", async () => {
  const metadata = {
    ...{ model: "m", criterion: null, question_sha256: "0", question: "?", answer: "YES" },
    ...{ input_tokens: 0, output_tokens: 0, cache_read_tokens: null, cache_write_tokens: null },
    cost: 0,
  };
  const forging = session({
    play: async ({ started, peer }) => {
      await started;
      const event = { timestamp: completed.timestamp, type: "judge_usage", metadata };
      await peer.request("event", { seq: 0, event });
    },
  });
  await assertRejects(() => forging, Error, "the host records them");
});

Deno.test("an event out of order, or one that is missing at the end, ends the session", async () => {
  const skipping = session({
    play: async ({ started, peer }) => {
      await started;
      await peer.request("event", { seq: 3, event: completed });
    },
  });
  await assertRejects(() => skipping, Error, "Event 3 came where 0 was due");
  const missing = session({
    play: async (far) => {
      await far.started;
      await finish(far, 7);
    },
  });
  await assertRejects(() => missing, Error, "7 events were sent, 0 came");
});

Deno.test("a harness that dies is told with its status and what it ran", async () => {
  const died = session({
    play: async ({ started, peer, exit }) => {
      await started;
      await peer.notify("activity", { name: 'tool "bash"', kind: "tool" });
      await peer.request("event", { seq: 0, event: completed });
      exit({ code: 137, exhausted: true });
    },
  });
  const error = await assertRejects(() => died, SandboxDiedError);
  assertEquals([error.exhausted, error.activity.kind], [true, "tool"]);
  assertStringIncludes(error.message, 'while it ran tool "bash"');
});

Deno.test("a sandbox that never started is told by its own error, not by the broken channel", async () => {
  const play = async ({ peer, fail, fallSilent }: FakeHarness) => {
    fallSilent();
    await peer.close();
    setTimeout(() => fail(new Error("the image is not there")), 20);
  };
  await assertRejects(() => session({ play }), Error, "the image is not there");
});

Deno.test("what the runtime knows of a sandbox's end is told", async () => {
  const play = async ({ peer, exit, started }: FakeHarness) => {
    await started;
    exit({ code: 137, exhausted: false, cause: "it was killed from outside" });
    await peer.close();
  };
  await assertRejects(() => session({ play }), SandboxDiedError, "it was killed from outside");
});

Deno.test("text that is no message ends the session with an error that shows it", async () => {
  const forged = session({
    play: async ({ started, raw }) => {
      await started;
      await raw('{"type":"scoring","score":1}\n');
    },
  });
  await assertRejects(() => forged, Error, '{"type":"scoring"');
});

Deno.test("text that is no message is no death, whatever it says of itself", async () => {
  for (const text of ["the last line was cut off", "Cannot read from the channel: gone"]) {
    const forged = session({
      play: async ({ started, raw }) => {
        await started;
        await raw(`${text}\n`);
      },
    });
    await assertRejects(() => forged, ChannelError, text);
  }
});

Deno.test("a line that its harness never ended is told as a death", async () => {
  const died = session({
    play: async ({ started, raw, peer, exit }) => {
      await started;
      await peer.request("event", { seq: 0, event: completed });
      await raw('{"jsonrpc"');
      await peer.close();
      exit({ code: 137, exhausted: true });
    },
  });
  const error = await assertRejects(() => died, SandboxDiedError);
  assertEquals(error.exhausted, true);
});

Deno.test("silence ends the sandbox and names what ran", async () => {
  const silent = session({
    times: { silenceMs: 30 },
    play: async ({ started, peer, fallSilent }) => {
      await started;
      await peer.notify("activity", { name: "preHook", kind: "hook" });
      fallSilent();
    },
  });
  const error = await assertRejects(() => silent, SandboxStuckError);
  assertStringIncludes(error.message, "nothing was heard from it for 0 s while it ran: preHook");
});

Deno.test("scoring beyond its limit ends the sandbox although it still answers", async () => {
  const stuck = session({
    scoringLimitSeconds: 0.01,
    play: async ({ started, peer }) => {
      await started;
      await peer.notify("activity", { name: "scoring of step 0", kind: "scoring" });
      await peer.notify("activity", { name: "artifact /a", kind: "artifact" });
    },
  });
  const error = await assertRejects(() => stuck, SandboxStuckError);
  assertStringIncludes(error.message, "scoring time of 0.01 s is over");
});

Deno.test("an interrupt lets the harness finish and is told as such", async () => {
  const interrupt = new AbortController();
  const interrupted = session({
    signal: interrupt.signal,
    play: async (far) => {
      await far.started;
      interrupt.abort(new Error("Interrupted by SIGINT"));
      assertEquals(await far.stopped, "Interrupted by SIGINT");
      await far.peer.request("event", { seq: 0, event: completed });
      await finish(far, 1);
    },
  });
  await assertRejects(() => interrupted, InterruptedError, "SIGINT");
});

Deno.test("a harness of another version is refused by both numbers", async () => {
  const other = session({ version: "9.9.9", play: () => Promise.resolve() });
  await assertRejects(() => other, Error, `its Karotte is 9.9.9, this one is ${VERSION}`);
});

const said = (role: "user" | "assistant", content: string) => message({ role, content });

const added = (content: string) => ({
  timestamp: completed.timestamp,
  type: "message_added",
  message: said("user", content),
  finish_reason: null,
  raw: null,
});

const next = (seq: number) => ({ role: "student", seq, remaining_ms: null });

Deno.test("a turn is asked of what is recorded, with the tools that were declared", async () => {
  const asked: unknown[] = [];
  const answers: unknown[] = [];
  await session({
    student: {
      nextTurn: ({ messages, tools }) => {
        asked.push(messages.map(({ content }) => content), tools.map(({ name }) => name));
        const message = said("assistant", "the key is sk-secret");
        return Promise.resolve({ message, finish_reason: "stop", usage: null });
      },
    },
    async play(far) {
      await far.started;
      const { peer } = far;
      await peer.notify("tools", { tools: [{ name: "t", description: "", input_schema: {} }] });
      const first = await peer.send("event", { seq: 0, event: added("hello sk-secret") });
      answers.push(await peer.request("model.next", next(1)));
      await first.answer;
      await finish(far, 1);
    },
  });
  assertEquals(asked, [["hello [redacted]"], ["t"]]);
  const message = said("assistant", "the key is [redacted]");
  assertEquals(answers, [{ turn: { message, finish_reason: "stop", usage: null } }]);
});

Deno.test("a call that fails is told by name and kind, without secrets; the run goes on", async () => {
  const answers: unknown[] = [];
  await session({
    student: {
      nextTurn: () =>
        Promise.reject(new ModelFailure("401 for sk-secret", { kind: "authentication" })),
    },
    judge: { answer: () => Promise.reject(new RangeError("too many")) },
    async play(far) {
      await far.started;
      answers.push(await far.peer.request("model.next", next(0)));
      const question = { prompt: "good?" };
      answers.push(await far.peer.request("model.judge", { role: "judge", question }));
      await finish(far, 0);
    },
  });
  assertEquals(answers, [
    { failure: { name: "ModelFailure", message: "401 for [redacted]", kind: "authentication" } },
    { failure: { name: "RangeError", message: "too many", kind: null } },
  ]);
});

Deno.test("a sandbox gets no more turns than the run's limit, and one at a time", async () => {
  const turn = { message: said("assistant", "hi"), finish_reason: "stop", usage: null };
  const answers: { failure?: { name: string; message: string } }[] = [];
  await session({
    turnLimit: 2,
    student: { nextTurn: () => new Promise((resolve) => setTimeout(() => resolve(turn), 20)) },
    async play(far) {
      await far.started;
      const ask = async () =>
        (await far.peer.request("model.next", next(0))) as (typeof answers)[number];
      answers.push(...await Promise.all([ask(), ask()]), await ask(), await ask());
      await finish(far, 0);
    },
  });
  const failures = answers.map(({ failure }) => failure?.name);
  assertEquals(failures, [undefined, "Error", undefined, "TurnLimitError"]);
});

Deno.test("a turn that is asked of events which never came ends the session", async () => {
  const ahead = session({
    play: async ({ started, peer }) => {
      await started;
      await peer.request("model.next", next(2));
    },
  });
  await assertRejects(() => ahead, Error, "2 events were sent, 0 came");
});

Deno.test("an interrupt ends a call of a model that never answers", async () => {
  const stop = new AbortController();
  const seen = Promise.withResolvers<void>();
  const interrupted = session({
    signal: stop.signal,
    student: {
      nextTurn: (_, { signal }) => {
        signal.addEventListener("abort", () => seen.resolve());
        stop.abort(new Error("Ctrl-C"));
        return new Promise(() => {});
      },
    },
    play: async ({ started, peer }) => {
      await started;
      await peer.request("model.next", next(0));
    },
  });
  await assertRejects(() => interrupted, InterruptedError);
  await seen.promise;
});
