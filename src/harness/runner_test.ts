import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import { wholeImages } from "../../tests/support/sample_images.ts";
import { tempDir } from "../base/temp_dir.ts";
import type { HostLink } from "../protocol/host_link.ts";
import { ModelFailure } from "../protocol/model_failure.ts";
import type { Turn } from "../protocol/turn.ts";
import { type EvaluationRunConfigInput, runConfigSchema } from "../schemas/run_config.ts";
import {
  eventSchema,
  type StepLimitReached,
  type TranscriptEvent,
  type TranscriptEventOf,
} from "../schemas/transcript.ts";
import { createTask, type StepOptions, type TaskOptions } from "../sdk/create_task.ts";
import type { FakeMessage } from "../sdk/fake_message.ts";
import { Judge, scoring } from "../sdk/judges/judge.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import { ProtectedStore } from "../sdk/protected_store.ts";
import type { RunContext } from "../sdk/run_context.ts";
import type { Student } from "../sdk/student.ts";
import { defineTool, type Tool } from "../sdk/tool.ts";
import type { Agent } from "./agents/agent.ts";
import { MessageLoop } from "./agents/message_loop.ts";
import { ScriptedSource } from "./agents/scripted_source.ts";
import type { TurnSource } from "./agents/turn_source.ts";
import { EventLog } from "./event_log.ts";
import { runTask } from "./runner.ts";

class ScoreJudge extends Judge {
  readonly #verdict: () => unknown;

  constructor(verdict: () => unknown) {
    super();
    this.#verdict = verdict;
  }

  // The cast lets tests return what a judge must not.
  override evaluate = () => this.#verdict() as ReturnType<Judge["evaluate"]>;
}

const passing = new ScoreJudge(() => scoring(1));

interface Setup {
  messages?: FakeMessage[];
  source?: TurnSource;
  /** Instead of the message loop. */
  agent?: Agent;
  steps?: readonly StepOptions[];
  task?: Partial<TaskOptions>;
  config?: Partial<EvaluationRunConfigInput>;
  tools?: Record<string, Tool>;
  signal?: AbortSignal;
  saved?: string[];
  endStudentsPart?: () => Promise<void>;
}

/** Runs a task without a sandbox; the student must not be touched. */
async function runWith(setup: Setup): Promise<TranscriptEvent[]> {
  await using directory = await tempDir();
  const recorded: TranscriptEvent[] = [];
  const config = runConfigSchema.parse({
    run_id: "r1",
    task_id: "t1",
    model: "fake/scripted",
    ...setup.config,
  });
  const events = new EventLog("r1", (event) => {
    recorded.push(eventSchema.parse(JSON.parse(JSON.stringify(event))));
    return Promise.resolve();
  });
  const done = () => Promise.resolve();
  const link = { activity: done, declareTools: done } as unknown as HostLink; // no more is used
  const context: RunContext = {
    variables: {},
    config,
    signal: setup.signal ?? new AbortController().signal,
    student: {} as Student, // tools of these tests have no use for it
    store: new ProtectedStore(directory.path),
    submission: () => undefined,
    saveSubmission: () => Promise.resolve(undefined),
    deleteFiles: () => Promise.resolve(0),
    saveArtifact: (path) => Promise.resolve(void setup.saved?.push(path)),
    submitAnswers: () => Promise.resolve(),
    scriptCommand: () => [],
    warn: () => Promise.resolve(),
    askJudge: () => Promise.reject(new Error("there is no model in this test")),
  };
  const Task = createTask({
    id: "t1",
    tools: Object.keys(setup.tools ?? {}),
    systemPrompt: "Be brief.",
    steps: setup.steps ?? [{ instructions: "Say hello.", judge: passing }],
    ...setup.task,
  });
  const tools = new Map(
    Object.entries(setup.tools ?? {}).map(([name, tool]) => [
      name,
      { tool, config: tool.parseConfig(undefined) },
    ]),
  );
  const source = setup.source ?? new ScriptedSource(setup.messages ?? [{ content: "hello" }]);
  const parts = { config, events, link, tools, toolContext: context };
  const agent = setup.agent ?? new MessageLoop({ ...parts, source });
  await runTask({
    config,
    events,
    link,
    context,
    reasoningEffort: null,
    warnings: [],
    loadTask: () => Promise.resolve({ task: new Task(config), tools, agent }),
    endStudentsPart: setup.endStudentsPart ?? (() => Promise.resolve()),
  });
  return recorded;
}

function turnOf(content: string, finish_reason: string): Turn {
  return {
    ...{ finish_reason, usage: null },
    message: {
      ...{ role: "assistant", content, tool_calls: null, tool_call_id: null },
      reasoning_content: null,
    },
  };
}

/** A source of turns of these texts and reasons. */
function turnsOf(...turns: readonly (readonly [text: string, reason: string])[]): TurnSource {
  const left = turns.map(([content, finish_reason]) => turnOf(content, finish_reason));
  return { nextTurn: () => Promise.resolve(left.length > 1 ? left.shift()! : left[0]!) };
}

Deno.test("faults 3.7: a turn that pauses goes on, and nothing is said to it", async () => {
  const source = turnsOf(["I search.", "pause_turn"], ["", "pause_turn"], ["Found.", "stop"]);
  const events = await runWith({ source });
  const said = events.flatMap((event) => event.type === "message_added" ? [event.message] : []);
  assertEquals(said.map(({ role, content }) => [role, content]), [
    ["system", "Be brief."],
    ["user", "Say hello."],
    ["assistant", "I search."],
    ["assistant", ""],
    ["assistant", "Found."],
  ]);
  assertEquals(last(events, "scoring").scoring.score, 1);
});

Deno.test("faults 3.7: a turn that pauses for ever ends the run", async () => {
  const events = await runWith({ source: turnsOf(["", "pause_turn"]) });
  assertStringIncludes(last(events, "error").message, "paused 11 times in a row");
});

Deno.test("faults 3.7: a full context is the context limit, and what was said is kept", async () => {
  const source = () => turnsOf(["I was about to", "model_context_window_exceeded"]);
  const ended = await runWith({ source: source() });
  assertEquals(last(ended, "error").exception_type, "StepContextLimitError");
  const scored = await runWith({
    source: source(),
    config: { on_step_context_window_limit: "score" },
  });
  for (const events of [ended, scored]) {
    assertEquals(last(events, "message_added").message.content, "I was about to");
  }
  assertEquals(last(scored, "scoring").scoring.score, 1);
});

const call = (name: string, args: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  function: { name, arguments: args },
});

const echo = defineTool({
  description: "Says it again.",
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
});

const types = (events: TranscriptEvent[]) => events.map(({ type }) => type);

function last<Type extends TranscriptEvent["type"]>(
  events: TranscriptEvent[],
  type: Type,
): TranscriptEventOf<Type> {
  const found = events.filter((event) => event.type === type).at(-1);
  assert(found, `no ${type} event`);
  return found as TranscriptEventOf<Type>; // filtered by that type
}

Deno.test("a run has the reference's events in the reference's order", async () => {
  const events = await runWith({
    tools: { echo },
    steps: [
      { instructions: "First.", judge: passing },
      { instructions: "Second.", judge: passing },
    ],
    messages: [
      { tool_calls: [call("echo", '{"text":"a"}'), call("echo", '{"text":"b"}')] },
      { content: "done" },
      { content: "done too" },
    ],
    task: { preHook: () => ({ seed: 7 }) },
  });
  const toolCall = ["tool_call_started", "tool_call_completed", "message_added"] as const;
  assertEquals(types(events), [
    "task_started",
    "task_pre_hook_completed",
    "message_added",
    "step_started",
    "message_added",
    "message_added",
    ...toolCall,
    ...toolCall,
    "message_added",
    "scoring",
    "step_completed",
    "step_started",
    "message_added",
    "message_added",
    "scoring",
    "step_completed",
    "task_completed",
  ]);
  assertEquals(last(events, "task_completed").status, "passed");
  assertEquals(last(events, "task_started").n_steps, 2);
  assertEquals(Object.keys(events[0]!)[0], "timestamp");
  assertEquals(last(events, "tool_call_completed").result.content, [
    { type: "text", text: "b", annotations: null, meta: null },
  ]);
});

Deno.test("any agent is given the steps in order, each scored before the next", async () => {
  const given: [number, string][] = [];
  const agent: Agent = {
    runStep: (index, instructions) => Promise.resolve(void given.push([index, instructions])),
  };
  const steps = ["First.", "Second."].map((instructions) => ({
    instructions,
    judge: new ScoreJudge(() => scoring(given.length)),
  }));
  const events = await runWith({ agent, steps });
  assertEquals(given, [[0, "First."], [1, "Second."]]);
  const scores = events.flatMap((event) => event.type === "scoring" ? event.scoring.score : []);
  assertEquals(scores, [1, 2]);
});

Deno.test("what an agent throws ends the run with that error", async () => {
  const agent: Agent = { runStep: () => Promise.reject(new RangeError("its program ended")) };
  const events = await runWith({ agent });
  assertEquals(last(events, "error").exception_type, "RangeError");
  assertEquals(last(events, "task_completed").status, "error");
});

Deno.test("a judge that says stop skips the other steps, and the run failed", async () => {
  const stop = new ScoreJudge(() => scoring(0, { why: "no" }, false));
  const events = await runWith({
    steps: [{ instructions: "1", judge: stop }, { instructions: "2", judge: passing }],
  });
  assertEquals(last(events, "step_started").step, 0);
  assertEquals(last(events, "task_completed").status, "failed");
});

Deno.test("a task without steps passes", async () => {
  assertEquals(last(await runWith({ steps: [] }), "task_completed").status, "passed");
});

Deno.test("a score that is no finite number is an error of the run", async () => {
  for (const score of [NaN, Infinity, -Infinity, "1", true, null]) {
    const judge = new ScoreJudge(() => ({ score, metadata: {}, continue_task: true }));
    const events = await runWith({ steps: [{ instructions: "1", judge }] });
    assertEquals(types(events).includes("scoring"), false, `score ${score}`);
    assertEquals(last(events, "error").exception_type, "InvalidScoringError");
    assertEquals(last(events, "task_completed").status, "error");
  }
});

Deno.test("the student's part ends before the hook; misbehaviour there scores 0 without a judge", async () => {
  const order: string[] = [];
  const step = {
    instructions: "1",
    judge: new ScoreJudge(() => order.push("judge") && scoring(1)),
    preScoringHook: () => void order.push("hook"),
    postHook: () => void order.push("post"),
  };
  const config = { extra_config: { extra_artifact_paths: "/x" } };
  const saved = Object.assign([], { push: () => order.push("artifact") });
  const end = () => Promise.resolve(void order.push("end"));
  await runWith({ steps: [step], config, saved, endStudentsPart: end });
  assertEquals(order.splice(0), ["artifact", "end", "hook", "judge", "post"]);
  const events = await runWith({
    steps: [step, step],
    endStudentsPart: () => Promise.reject(new StudentMisbehaviorError("3 left")),
  });
  assertEquals(order, ["post"]);
  assertEquals(last(events, "scoring").scoring, {
    ...{ score: 0, metadata: { misbehavior: "3 left" }, continue_task: false },
  });
  assertEquals(last(events, "task_completed").status, "failed");
  const fault = () => Promise.reject(new Error("a fault"));
  assertEquals(last(await runWith({ endStudentsPart: fault }), "error").message, "a fault");
});

Deno.test("misbehaviour while scoring scores 0, elsewhere it is an error", async () => {
  const misbehave = () => {
    throw new StudentMisbehaviorError("it lied");
  };
  for (
    const step of [
      { instructions: "1", judge: new ScoreJudge(misbehave) },
      { instructions: "1", judge: misbehave },
      { instructions: "1", judge: passing, preScoringHook: misbehave },
    ]
  ) {
    const events = await runWith({ steps: [step] });
    assertEquals(last(events, "scoring").scoring, {
      score: 0,
      metadata: { misbehavior: "it lied" },
      continue_task: false,
    });
    assertEquals(last(events, "task_completed").status, "failed");
  }
  const events = await runWith({
    steps: [{ instructions: "1", judge: passing, postHook: misbehave }],
  });
  assertEquals(last(events, "scoring").scoring.score, 1);
  assertEquals(last(events, "task_completed").status, "error");
});

Deno.test("scoring that takes too long is an error that names the limit", async () => {
  const aborted = Promise.withResolvers<void>();
  class Endless extends Judge {
    override evaluate(_transcript: unknown, { signal }: RunContext) {
      signal.addEventListener("abort", () => aborted.resolve());
      return new Promise<never>(() => {});
    }
  }
  const events = await runWith({
    steps: [{ instructions: "1", judge: new Endless() }],
    task: { scoringTimeLimitSeconds: 0.02 },
  });
  assertStringIncludes(last(events, "error").message, "longer than 0.02 s");
  await aborted.promise;
});

Deno.test("arguments that are not JSON are replaced in the history and answered by an error", async () => {
  const events = await runWith({
    tools: { echo },
    messages: [{ tool_calls: [call("echo", '{"text": "a')] }, { content: "done" }],
  });
  const assistant = events.flatMap((event) =>
    event.type === "message_added" ? event.message.tool_calls ?? [] : []
  );
  assertEquals(Object.keys(JSON.parse(assistant[0]!.function.arguments)), ["error"]);
  const { result } = last(events, "tool_call_completed");
  assertEquals([result.isError, Object.keys(result.structuredContent ?? {})], [true, ["result"]]);
  assertEquals(last(events, "task_completed").status, "passed");
});

Deno.test("an unknown tool, wrong arguments and a tool that throws are results, not errors", async () => {
  const broken = defineTool({
    description: "Throws.",
    input: z.object({}),
    run: () => {
      throw new Error("out of order");
    },
  });
  const events = await runWith({
    tools: { echo, broken },
    messages: [
      {
        tool_calls: [
          call("nothing", "{}"),
          call("echo", '{"text":1}'),
          call("echo", "[]"),
          call("broken", ""),
        ],
      },
      { content: "done" },
    ],
  });
  const texts = events.flatMap((event) => {
    if (event.type !== "tool_call_completed") return [];
    const [block] = event.result.content;
    return [event.result.isError && block?.type === "text" ? block.text : "no error"];
  });
  assertStringIncludes(texts[0]!, 'no tool "nothing"');
  assertStringIncludes(texts[1]!, "text");
  assertStringIncludes(texts[2]!, "object");
  assertEquals(texts[3], "out of order");
  assertEquals(last(events, "task_completed").status, "passed");
});

Deno.test("an error result is bounded, whatever it quotes", async () => {
  const strict = defineTool({
    description: "Takes nothing.",
    input: z.strictObject({}),
    run: () => "",
  });
  const long = "x".repeat(300_000);
  const events = await runWith({
    tools: { strict },
    messages: [
      { tool_calls: [call(long, "{}"), call("strict", JSON.stringify({ [long]: 1 }))] },
      { content: "done" },
    ],
  });
  const sizes = events.flatMap((event) => {
    if (event.type !== "tool_call_completed") return [];
    const [block] = event.result.content;
    return [block?.type === "text" ? block.text.length : 0];
  });
  assertEquals(sizes, [16_003, 16_003]);
});

Deno.test("an image's bytes are in the tool message once, with the type that they have", async () => {
  const { gif } = wholeImages(3, 2);
  const picture = defineTool({
    description: "Shows.",
    input: z.object({}),
    // The bytes say better what they are.
    run: () => ({ image: gif.bytes, mimeType: "image/png" }),
  });
  const events = await runWith({
    tools: { picture },
    messages: [{ tool_calls: [call("picture", "{}")] }, { content: "done" }],
  });
  const [block] = last(events, "tool_call_completed").result.content;
  assertEquals(block?.type === "image" && block.data, "");
  const parts = events.flatMap((event) =>
    event.type === "message_added" && Array.isArray(event.message.content)
      ? event.message.content
      : []
  );
  assertEquals(parts, [{
    type: "image_url",
    image_url: { url: `data:image/gif;base64,${gif.bytes.toBase64()}` },
  }]);
});

Deno.test("an image that no provider takes is an error of its call", async () => {
  const { png } = wholeImages(3, 2);
  const images = [new Uint8Array(0), new Uint8Array(100), png.bytes.slice(0, -5)];
  const picture = defineTool({
    description: "Shows.",
    input: z.object({}),
    run: () => ({ image: images.pop()!, mimeType: "image/png" }),
  });
  const tool_calls = images.map(() => call("picture", "{}"));
  const events = await runWith({
    tools: { picture },
    messages: [{ tool_calls }, { content: "done" }],
  });
  const results = events.flatMap((event) =>
    event.type === "tool_call_completed" ? [event.result] : []
  );
  const told = "the tool returned an image that is no whole PNG, JPEG, GIF or WebP";
  assertEquals(
    results.map(({ isError, content: [block] }) => [isError, block?.type === "text" && block.text]),
    [
      [true, told],
      [true, told],
      [true, told],
    ],
  );
});

Deno.test("the turn limit counts the whole run", async () => {
  const events = await runWith({
    config: { turn_limit: 1 },
    steps: [{ instructions: "1", judge: passing }, { instructions: "2", judge: passing }],
    messages: [{ content: "a" }, { content: "b" }],
  });
  assertEquals(last(events, "step_started").step, 1);
  assertEquals(last(events, "error").exception_type, "TurnLimitError");
});

Deno.test("a step's time limit ends the run, or the step where the config says so", async () => {
  const limits = { step_time_limit_seconds: [0] };
  const failed = await runWith({ config: limits });
  assertEquals(last(failed, "error").exception_type, "StepTimeLimitError");
  const scored = await runWith({ config: { ...limits, on_step_time_limit: "score" } });
  assertEquals(last(scored, "task_completed").status, "passed");
});

Deno.test("a conversation that the model refuses as too long ends the run, or the step", async () => {
  const failure = new ModelFailure("prompt is too long", { kind: "context_length" });
  const source: TurnSource = { nextTurn: () => Promise.reject(failure) };
  const failed = await runWith({ source });
  assertEquals(last(failed, "error").exception_type, "StepContextLimitError");
  const scored = await runWith({ source, config: { on_step_context_window_limit: "score" } });
  assertEquals(last(scored, "task_completed").status, "passed");
});

Deno.test("a turn that can't come within the step's time ends the run, or the step", async () => {
  const failure = new ModelFailure("x: 429 (no time is left to try again)", { kind: "time_over" });
  const source: TurnSource = { nextTurn: () => Promise.reject(failure) };
  const failed = await runWith({ source });
  assertEquals(last(failed, "error").exception_type, "StepTimeLimitError");
  assertEquals(last(failed, "error").message, failure.message);
  const scored = await runWith({ source, config: { on_step_time_limit: "score" } });
  assertEquals(last(scored, "task_completed").status, "passed");
});

/** What is told of the limits that ended steps. */
function limitsOf(events: readonly TranscriptEvent[]): StepLimitReached[] {
  return events.flatMap((event) => event.type === "step_limit_reached" ? [event.metadata] : []);
}

const untold = { step: 0, allowed: null, used: null, overrun: null, reason: null };

Deno.test("faults 2.3: an event says that a step's time is over, scored or not", async () => {
  for (const outcome of ["error", "score"] as const) {
    const limits = { step_time_limit_seconds: [0.5], on_step_time_limit: outcome };
    const slow = defineTool({
      description: "Takes longer than the step has.",
      input: z.object({}),
      run: () => new Promise<string>((resolve) => setTimeout(() => resolve("late"), 900)),
    });
    const messages = [{ tool_calls: [call("slow", "{}")] }, { content: "done" }];
    const [reached, ...more] = limitsOf(
      await runWith({ config: limits, tools: { slow }, messages }),
    );
    assertEquals(more, []);
    const { used, overrun, ...told } = reached!;
    const expected = { ...untold, limit: "time", unit: "seconds", allowed: 0.5, outcome };
    assertEquals<unknown>({ ...told, used: null, overrun: null }, expected);
    assert(used !== null && used >= 0.85, `${used}`);
    assertEquals(overrun, Math.round((used - 0.5) * 1000) / 1000);
  }
});

Deno.test("faults 2.3: an event says that a step's context or the run's turns are over", async () => {
  const none = { cache_read_tokens: null, cache_write_tokens: null, service_tier: null };
  const usage = { ...none, input_tokens: 60, output_tokens: 1, estimated: false };
  const turn = { ...turnOf("", "length"), usage };
  const nudged: TurnSource = { nextTurn: () => Promise.resolve(turn) };
  const [context] = limitsOf(
    await runWith({
      source: nudged,
      config: { step_context_window_limit: 50, on_step_context_window_limit: "score" },
    }),
  );
  const numbers = { allowed: 50, used: 60, overrun: 10 };
  const tokens = { ...untold, limit: "context", unit: "tokens", outcome: "score" } as const;
  assertEquals(context, { ...tokens, ...numbers });
  const refusal = new ModelFailure("prompt is too long", { kind: "context_length" });
  const config = { on_step_context_window_limit: "score" } as const;
  const [refused] = limitsOf(
    await runWith({ config, source: { nextTurn: () => Promise.reject(refusal) } }),
  );
  assertEquals(refused, { ...tokens, reason: "prompt is too long" });
  const steps = ["1", "2"].map((instructions) => ({ instructions, judge: passing }));
  const [turns] = limitsOf(
    await runWith({ config: { turn_limit: 1 }, steps, messages: [{ content: "a" }] }),
  );
  const one = { allowed: 1, used: 1, overrun: 0 };
  assertEquals(turns, {
    ...{ ...untold, step: 1, limit: "turns", unit: "turns", outcome: "error" },
    ...one,
  });
});

Deno.test("faults 2.3: the call that runs at the end of a step's time is cut, others not made", async () => {
  const did: string[] = [];
  const endless = defineTool({
    description: "Ends when it is told to, and does not look what it is told.",
    input: z.object({}),
    async run(_input, { signal, student }) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await student.writeFile("/late", "counts").then(() => did.push("write"), () => {});
      did.push("end");
      return "done";
    },
  });
  const events = await runWith({
    config: { step_time_limit_seconds: 0.3, on_step_time_limit: "score" },
    tools: { endless, echo },
    messages: [{ tool_calls: [call("endless", "{}"), call("echo", '{"text":"a"}')] }],
    steps: [{
      instructions: "Go.",
      judge: new ScoreJudge(() => (did.push("judge"), scoring(1))),
    }],
  });
  assertEquals(did, ["end", "judge"]);
  const results = events.flatMap((event) =>
    event.type === "tool_call_completed" ? event.result.content : []
  );
  assertEquals(results.map((block) => block.type === "text" && block.text), [
    "The call was cut: The step's time of 0.3 s is over",
    "The call was not made: The step's time of 0.3 s is over",
  ]);
  assertEquals(last(events, "task_completed").status, "passed");
});

Deno.test("counters are told in the last tool message of a turn", async () => {
  const events = await runWith({
    tools: { echo },
    config: { step_time_limit_seconds: 100, step_context_window_limit: 50 },
    messages: [
      { tool_calls: [call("echo", '{"text":"a"}'), call("echo", '{"text":"b"}')] },
      { content: "done" },
    ],
  });
  const notes = events.flatMap((event) =>
    event.type === "message_added" && event.message.role === "tool" ? [event.message.content] : []
  ).map((content) => Array.isArray(content) ? content.length : 0);
  assertEquals(notes, [1, 3]);
});

Deno.test("empty turns are nudged, and given up after three in a row", async () => {
  const empty: Turn = {
    message: {
      role: "assistant",
      content: " ",
      tool_calls: null,
      reasoning_content: "hm",
      tool_call_id: null,
    },
    finish_reason: null,
    usage: null,
  };
  const events = await runWith({ source: { nextTurn: () => Promise.resolve(empty) } });
  assertEquals(last(events, "error").exception_type, "EmptyTurnLimitError");
  const nudges = events.filter((event) =>
    event.type === "message_added" && event.message.role === "user"
  );
  assertEquals(nudges.length, 1 + 3);
});

Deno.test("a turn that announces calls and has none is nudged too", async () => {
  const message = (content: string | null): Turn["message"] => ({
    role: "assistant",
    content,
    tool_calls: null,
    reasoning_content: null,
    tool_call_id: null,
  });
  const turns: Turn[] = [
    { message: message(null), finish_reason: "tool_calls", usage: null },
    { message: message("done"), finish_reason: "stop", usage: null },
  ];
  const nextTurn = () => Promise.resolve(turns.shift()!);
  const events = await runWith({ source: { nextTurn } });
  assertEquals([turns.length, last(events, "task_completed").status], [0, "passed"]);
});

Deno.test("extra_config changes instructions and saves artifacts", async () => {
  const saved: string[] = [];
  const events = await runWith({
    saved,
    config: {
      extra_config: {
        task_instructions_override: ["", "Other."],
        extra_task_instructions: "More.",
        extra_artifact_paths: ["/workdir/a", "/workdir/b"],
        anything: { else: true },
      },
    },
  });
  const user = events.find((event) =>
    event.type === "message_added" && event.message.role === "user"
  );
  assertEquals(user?.type === "message_added" && user.message.content, "\n\nMore.");
  assertEquals(saved, ["/workdir/a", "/workdir/b"]);
});

Deno.test("a stopped run ends with the reason as its error", async () => {
  const stop = new AbortController();
  const never: TurnSource = {
    nextTurn: () => {
      stop.abort(new Error("enough"));
      return new Promise(() => {});
    },
  };
  const events = await runWith({ source: never, signal: stop.signal });
  assertEquals(last(events, "error").message, "enough");
  assertEquals(last(events, "task_completed").status, "error");
});

Deno.test("a hook that throws is the run's error with its stack", async () => {
  const events = await runWith({
    task: {
      preHook: () => {
        throw new RangeError("too far");
      },
    },
  });
  const error = last(events, "error");
  assertEquals([error.exception_type, error.message], ["RangeError", "too far"]);
  assertStringIncludes(error.traceback ?? "", "runner_test.ts");
});

Deno.test("metadata is cut to its budget without halving a character", async () => {
  const judge = new ScoreJudge(() => ({
    score: 1,
    metadata: { big: "😀".repeat(1024 * 1024), list: [1, 2] },
    continue_task: true,
  }));
  const { metadata } = last(
    await runWith({ steps: [{ instructions: "1", judge }] }),
    "scoring",
  ).scoring;
  assert(metadata.big!.length <= 1024 * 1024);
  assert(metadata.big!.isWellFormed());
  assertEquals(metadata.list, "[1,2]");
});

Deno.test("half characters are U+FFFD to tools, in the transcript and in what tools return", async () => {
  const given: string[] = [];
  const half = defineTool({
    description: "Cuts a character.",
    input: z.object({ text: z.string() }),
    run: ({ text }) => {
      given.push(text);
      return "b\ud83d";
    },
  });
  const args = [
    String.raw`{"text":"a\ud83d"}`,
    '{"text":"a\ud83d"}',
    String.raw`{"text":"😀\ud83d\ude00"}`,
  ];
  const events = await runWith({
    tools: { half },
    messages: [
      { content: "\ud83d", tool_calls: args.map((text) => call("half", text)) },
      { content: "done" },
    ],
  });
  assertEquals(given, ["a�", "a�", "😀😀"]);
  const added = events.flatMap((event) => event.type === "message_added" ? [event.message] : []);
  const said = added.find(({ tool_calls }) => tool_calls !== null);
  assertEquals(said?.content, "�");
  assertEquals(said?.tool_calls?.map((call) => call.function.arguments), [
    '{"text":"a�"}',
    '{"text":"a�"}',
    args[2],
  ]);
  const results = added.filter(({ role }) => role === "tool").map(({ content }) => content);
  assertEquals(results.map((content) => Array.isArray(content) && content[0]), [
    { type: "text", text: "b�" },
    { type: "text", text: "b�" },
    { type: "text", text: "b�" },
  ]);
});
