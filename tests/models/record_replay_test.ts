import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { skippingClock } from "../../src/base/clock.ts";
import type { ExchangeCaller } from "../../src/models/recording/exchange.ts";
import { ModelFailure } from "../../src/protocol/model_failure.ts";
import { ExchangeLog } from "../../src/models/recording/exchange_log.ts";
import { ExchangeReplay } from "../../src/models/recording/exchange_replay.ts";
import { Gate } from "../../src/models/gate.ts";
import type { Model } from "../../src/models/model.ts";
import { openModel } from "../../src/models/open_model.ts";
import { recordingFetch } from "../../src/models/recording/recording_fetch.ts";
import { replayingFetch } from "../../src/models/recording/replaying_fetch.ts";
import { retrying } from "../../src/models/retrying.ts";
import type { Message } from "../../src/schemas/message.ts";
import { IDS } from "./patient.ts";
import { request, result, user } from "./wire/asking.ts";
import { type Script, wireServer, type WireServerOptions } from "./wire/server.ts";

const SECRET = "sk-hidden-0123456789";

function callerOf(options: Partial<ExchangeCaller> = {}): ExchangeCaller {
  const redact = (text: string) => text.replaceAll(SECRET, "[redacted]");
  return { runIndex: 0, runId: "5f0c29aa", role: "student", redact, ...options };
}

async function patientModel(id: string, fetched: typeof fetch): Promise<Model> {
  const clock = skippingClock();
  const model = await openModel(id, {
    apiKey: SECRET,
    proxyUrl: "http://model.test",
    fetch: fetched,
  });
  return retrying(model, { gate: new Gate({ clock }), onRetry: () => {}, clock });
}

/** Asks for a turn, answers its calls, and so on for so many turns. */
async function converse(model: Model, runId: string, turns: number): Promise<Message[]> {
  const messages = [user(`Run ${runId}: the word is ${SECRET}.`)];
  for (let turn = 0; turn < turns; turn++) {
    const { message } = await model.ask(request(messages, { runId }));
    messages.push(message);
    for (const { id } of message.tool_calls ?? []) messages.push(result(id, `of ${runId}`));
  }
  return messages;
}

/** A conversation with the server of that script, recorded. */
async function recorded(
  path: string,
  script: Script,
  options: {
    id?: string;
    turns: number;
    caller?: ExchangeCaller;
    edit?: WireServerOptions["edit"];
  },
): Promise<Message[]> {
  const { id = IDS[0]!, turns, caller = callerOf(), edit } = options;
  await using server = wireServer(script, edit === undefined ? {} : { edit });
  await using log = await ExchangeLog.create(path);
  const model = await patientModel(id, recordingFetch(fetchAt(server.url), { log, caller }));
  return await converse(model, caller.runId, turns);
}

async function replayed(
  path: string,
  options: { id?: string; turns: number; caller?: ExchangeCaller },
): Promise<Message[]> {
  const { id = IDS[0]!, turns, caller = callerOf() } = options;
  const replay = await ExchangeReplay.open(path);
  const model = await patientModel(id, replayingFetch({ replay, caller }));
  return await converse(model, caller.runId, turns);
}

/** Takes the calls of `http://model.test` there. */
function fetchAt(url: string): typeof fetch {
  return (input, init) => fetch(String(input).replace("http://model.test", url), init);
}

const CALL = { toolCalls: [{ name: "bash", arguments: '{"command":"ls"}' }] };

for (const id of IDS) {
  Deno.test(`a replay of ${id} gives the turns that were recorded, failures and all`, async () => {
    await using dir = await tempDir();
    const path = `${dir.path}/run.ndjson`;
    const script: Script = [
      { fault: { kind: "status", status: 429, headers: { "retry-after": "300" } } },
      { reasoning: "Hm.", text: "I look.", ...CALL },
      { text: "Broken", fault: { kind: "break_off", afterEvents: 3 } },
      { text: "Failing", fault: { kind: "error_event", afterEvents: 2 } },
      { text: "Grüße, 世界", ...CALL },
      { text: "done" },
    ];
    const turns = await recorded(path, script, { id, turns: 3 });
    assertEquals(turns.at(-1)?.content, "done");
    assertEquals((await Deno.readTextFile(path)).split("\n").length, 7);
    assertEquals(await replayed(path, { id, turns: 3 }), turns);
  });
}

const ODD: readonly (readonly [what: string, from: string | RegExp, to: string])[] = [
  ["bad JSON", /^/, "data: {oh\n\n"],
  ["token counts as text", /("(?:prompt|input)_?[tT]okens?(?:Count)?":)(\d+)/g, '$1"$2"'],
];

for (const id of IDS) {
  for (const [what, from, to] of ODD) {
    Deno.test(`faults 3.4: a replay of ${id} fails as the recorded run did by ${what}`, async () => {
      await using dir = await tempDir();
      const path = `${dir.path}/run.ndjson`;
      const edit = (events: readonly string[]) => events.map((event) => event.replace(from, to));
      const script = () => ({ text: "Some words.", usage: { input: 7, output: 9 } });
      const options = { id, turns: 1 };
      const failure = async (asked: Promise<unknown>) =>
        (await assertRejects(() => asked, ModelFailure)).message;
      const live = await failure(recorded(path, script, { ...options, edit }));
      assertStringIncludes(live, "(tried 2 times)");
      assertEquals(await failure(replayed(path, options)), live);
    });
  }
}

Deno.test("a replay has another run id, and takes it for the recorded one", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  const script = [{ text: "This is 5f0c29aa.", pieceLength: 100, ...CALL }, { text: "done" }];
  await recorded(path, script, { turns: 2 });
  assert(!(await Deno.readTextFile(path)).includes("5f0c29aa"));
  const turns = await replayed(path, { turns: 2, caller: callerOf({ runId: "00000000-1" }) });
  assertEquals(turns[1]?.content, "This is 00000000-1.");
  assertEquals(turns[2]?.content, "of 00000000-1");
});

Deno.test("a short run id is taken for another one too", async () => {
  for (const id of IDS) {
    await using dir = await tempDir();
    const path = `${dir.path}/run.ndjson`;
    const ask = async (fetched: typeof fetch, runId: string) => {
      const model = await patientModel(id, fetched);
      return (await model.ask(request([user("go")], { runId }))).message.content;
    };
    await using server = wireServer([{ text: "done" }]);
    {
      await using log = await ExchangeLog.create(path);
      const caller = callerOf({ runId: "go" });
      await ask(recordingFetch(fetchAt(server.url), { log, caller }), "go");
    }
    const replay = await ExchangeReplay.open(path);
    const caller = callerOf({ runId: "r2" });
    assertEquals(await ask(replayingFetch({ replay, caller }), "r2"), "done");
  }
});

for (const id of IDS) {
  Deno.test(`a recording of ${id} holds no secret, though the model says it bit by bit`, async () => {
    await using dir = await tempDir();
    const path = `${dir.path}/run.ndjson`;
    const call = { name: "bash", arguments: JSON.stringify({ command: `echo ${SECRET}` }) };
    const script: Script = [
      { fault: { kind: "status", status: 401, body: `{"error":{"message":"key ${SECRET}"}}` } },
      {
        reasoning: `I know ${SECRET}!`,
        text: `It is ${SECRET}, yes.`,
        toolCalls: [call, call],
        pieceLength: 3,
      },
      { text: "done" },
    ];
    await recorded(path, script, { id, turns: 2 });
    const file = await Deno.readTextFile(path);
    assert(!file.includes(SECRET));
    const [, turn] = await replayed(path, { id, turns: 2 });
    assertEquals(turn?.content, "It is [redacted], yes.");
    assertEquals(turn?.tool_calls?.map((call) => JSON.parse(call.function.arguments)), [
      { command: "echo [redacted]" },
      { command: "echo [redacted]" },
    ]);
  });
}

Deno.test("a recording holds parallel runs and their judges, each apart", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/runs.ndjson`;
  const callers = [0, 1, 2].flatMap((runIndex) =>
    (["student", "judge"] as const).map((role) =>
      callerOf({ runIndex, role, runId: `5f0c29aa-${runIndex}` })
    )
  );
  const nameOf = ({ runId, role }: ExchangeCaller) => `${role} of ${runId}`;
  {
    await using server = wireServer(({ body }) => ({
      text: `to ${
        JSON.stringify(body.messages.at(0)).includes("judge of") ? "a judge" : "a student"
      }`,
    }));
    await using log = await ExchangeLog.create(path);
    await Promise.all(callers.map(async (caller) => {
      const fetched = recordingFetch(fetchAt(server.url), { log, caller });
      const model = await patientModel(IDS[0]!, fetched);
      for (let turn = 0; turn < 3; turn++) await model.ask(request([user(nameOf(caller))]));
    }));
  }
  const replay = await ExchangeReplay.open(path);
  for (const caller of callers.toReversed()) {
    const model = await patientModel(IDS[0]!, replayingFetch({ replay, caller }));
    for (let turn = 0; turn < 3; turn++) {
      const { message } = await model.ask(request([user(nameOf(caller))]));
      assertEquals(message.content, `to a ${caller.role}`);
    }
  }
});

Deno.test("a replay gives calls without an id the ids that they were recorded with", async () => {
  for (const id of IDS) {
    await using dir = await tempDir();
    const path = `${dir.path}/run.ndjson`;
    const call = { ...CALL.toolCalls[0]!, id: "" };
    const turns = await recorded(path, [{ toolCalls: [call, call] }, { text: "done" }], {
      id,
      turns: 2,
    });
    assertEquals(await replayed(path, { id, turns: 2 }), turns);
  }
});

Deno.test("a replay takes no notice of how much time the student was told", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  await using server = wireServer([{ text: "done" }]);
  const told = (seconds: number) => user(`of ls\n\nTime remaining: ${seconds} seconds`);
  {
    await using log = await ExchangeLog.create(path);
    const fetched = recordingFetch(fetchAt(server.url), { log, caller: callerOf() });
    await (await patientModel(IDS[0]!, fetched)).ask(request([told(61)]));
  }
  const replay = await ExchangeReplay.open(path);
  const model = await patientModel(IDS[0]!, replayingFetch({ replay, caller: callerOf() }));
  assertEquals((await model.ask(request([told(7)]))).message.content, "done");
});

Deno.test("a recording of no call leaves no file in the way of the next try", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  for (let tries = 0; tries < 2; tries++) {
    await using _log = await ExchangeLog.create(path);
  }
  await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
});

Deno.test("a replay says where a request differs from the recorded one", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  await recorded(path, [CALL, { text: "done" }], { turns: 2 });
  const replay = await ExchangeReplay.open(path);
  const model = await patientModel(IDS[0]!, replayingFetch({ replay, caller: callerOf() }));
  const first = user(`Run 5f0c29aa: the word is ${SECRET}.`);
  const { message } = await model.ask(request([first], { runId: "5f0c29aa" }));
  const other = result(message.tool_calls?.[0]?.id ?? "", "of another");
  const asked = model.ask(request([first, message, other], { runId: "5f0c29aa" }));
  const error = await assertRejects(() => asked, KarotteError);
  assertEquals(error.code, "run");
  assertEquals(
    error.message,
    `Cannot replay "${path}": exchange 2 of run 0 differs at body.messages[2].content[0].content: ` +
      `recorded "of {run_id}", now "of another"`,
  );
});

Deno.test("a replay says which exchange was not recorded", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  await recorded(path, [CALL], { turns: 1 });
  const error = await assertRejects(() => replayed(path, { turns: 2 }), KarotteError);
  assertEquals(error.message, `Cannot replay "${path}": exchange 2 of run 0 was not recorded`);
  const caller = callerOf({ role: "judge", runIndex: 3 });
  const judged = await assertRejects(() => replayed(path, { turns: 1, caller }), KarotteError);
  assertStringIncludes(judged.message, "exchange 1 of run 3's judges was not recorded");
});

Deno.test("a recording that was cut off is replayed up to there", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  const turns = await recorded(path, [CALL, { text: "done" }], { turns: 2 });
  const file = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, file.slice(0, -10));
  assertEquals(await replayed(path, { turns: 1 }), turns.slice(0, 3));
  const error = await assertRejects(() => replayed(path, { turns: 2 }), KarotteError);
  assertStringIncludes(error.message, "exchange 2 of run 0 was not recorded");
});

Deno.test("a recording never takes the place of a file", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  await Deno.writeTextFile(path, "mine");
  const error = await assertRejects(() => ExchangeLog.create(path), KarotteError);
  assertEquals(error.message, `Cannot record to "${path}": the file is there already`);
  assertEquals([error.code, await Deno.readTextFile(path)], ["usage", "mine"]);
  const nowhere = await assertRejects(() => ExchangeLog.create(`${path}/x`), KarotteError);
  assertEquals(nowhere.code, "usage");
});

Deno.test("a recording is for its owner alone", async () => {
  await using dir = await tempDir();
  await using log = await ExchangeLog.create(`${dir.path}/run.ndjson`);
  assertEquals((await Deno.stat(log.path)).mode! & 0o777, 0o600);
});

Deno.test("what is no recording is not replayed", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/run.ndjson`;
  const refusal = async () => (await assertRejects(() => ExchangeReplay.open(path), KarotteError));
  assertEquals((await refusal()).code, "usage");
  await Deno.writeTextFile(path, '{"run":1}\n');
  assertEquals(
    (await refusal()).message,
    `Cannot replay "${path}": line 1: it is no exchange with a model`,
  );
  await Deno.writeTextFile(path, "oh no\n");
  assertStringIncludes((await refusal()).message, "line 1: ");
});
