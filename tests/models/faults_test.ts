import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { skippingClock } from "../../src/base/clock.ts";
import { type FailureKind, ModelFailure } from "../../src/protocol/model_failure.ts";
import { Gate } from "../../src/models/gate.ts";
import { modelFetch } from "../../src/models/model_fetch.ts";
import { openModel } from "../../src/models/open_model.ts";
import { retrying } from "../../src/models/retrying.ts";
import type { Turn } from "../../src/protocol/turn.ts";
import { IDS } from "./patient.ts";
import { rawServer } from "./raw_server.ts";
import { fetchFrom, modelAt, request, user } from "./wire/asking.ts";
import type { Fault } from "./wire/script.ts";
import { wireServer } from "./wire/server.ts";

interface Outcome {
  readonly told: readonly string[];
  readonly text: Turn["message"]["content"];
  readonly calls: number;
}

/** What is told, and the text of the turn in the end, where the first answer has that fault. */
async function afterFault(id: string, fault: Fault, silenceMs = 10_000): Promise<Outcome> {
  await using server = wireServer([{ text: "Half a turn.", fault }, { text: "A whole turn." }]);
  using send = modelFetch({ silenceMs });
  const model = await modelAt(server, id, { fetch: fetchFrom(server, send) });
  const told: string[] = [];
  const clock = skippingClock();
  const onRetry = (line: string) => told.push(line);
  const patient = retrying(model, { gate: new Gate({ clock }), clock, random: () => 0, onRetry });
  const { message } = await patient.ask(request([user("go")]));
  return { told, text: message.content, calls: server.requests.length };
}

function status(status: number, rest: Partial<Fault & { kind: "status" }> = {}): Fault {
  return { kind: "status", status, ...rest };
}

/** A fault, and what is told of it. */
const PASSING: readonly (readonly [string, Fault, RegExp])[] = [
  ["429", status(429), /: 429: scripted failure 429; next try in 1 s \(2 of 16\)$/],
  ["429 with a wait", status(429, { headers: { "retry-after": "7" } }), /next try in 7 s/],
  ["429 with a short wait", status(429, { headers: { "retry-after-ms": "50" } }), /in 0\.1 s/],
  ["529", status(529), /: 529: .*next try in 1 s/],
  ["500", status(500), /: 500: scripted failure 500; next try/],
  ["500 in HTML", status(500, { body: "<html><title>Oh no</title></html>" }), /: 500: Oh no; next/],
  ["502 without a body", status(502, { body: "" }), /: 502.*; next try/],
  ["503", status(503), /: 503: /],
  ["408", status(408), /: 408: .*\(2 of 16\)/],
  ["401", status(401), /: 401: .*\(2 of 3\)/],
  ["a broken connection", { kind: "break_off", afterEvents: 3 }, /broke.*\(2 of 16\)$/],
  ["an early end", { kind: "end_early", afterEvents: 3 }, /\(2 of 16\)$/],
  [
    "an event that is no JSON",
    { kind: "invalid_json", afterEvents: 3 },
    /no JSON: \{oh; .*\(2 of 2\)$/,
  ],
  ["an error event", { kind: "error_event", afterEvents: 3 }, /Overloaded; .*\(2 of 16\)$/],
  ["an error event at first", { kind: "error_event", afterEvents: 0 }, /Overloaded; .*of 16\)$/],
  ["an empty stream", { kind: "empty" }, /\(2 of 16\)$/],
];

for (const id of IDS) {
  for (const [what, fault, words] of PASSING) {
    Deno.test(`${id} is asked again after ${what}`, async () => {
      const { told, text, calls } = await afterFault(id, fault);
      assertEquals([text, calls, told.length], ["A whole turn.", 2, 1]);
      assert(words.test(told[0]!), told[0]);
      assert(told[0]!.startsWith(`${id}: `) && !told[0]!.includes("sk-test"), told[0]);
    });
  }

  Deno.test(`${id} is asked again after silence in the stream`, async () => {
    const { told, text } = await afterFault(id, { kind: "hang", afterEvents: 2 }, 500);
    assertEquals(text, "A whole turn.");
    assertStringIncludes(told[0]!, "no answer in time: nothing came for 0.5 s; next try");
  });

  Deno.test(`${id} may trickle`, async () => {
    const { told, text } = await afterFault(
      id,
      { kind: "trickle", bytes: 100, pauseMs: 1 },
      10_000,
    );
    assertEquals([told, text], [[], "Half a turn."]);
  });

  Deno.test(`${id} is not asked again when the conversation is too long`, async () => {
    const body = '{"error":{"message":"This model\'s maximum context length is 9 tokens."}}';
    const failure = await failureAt(id, status(400, { body }));
    assertEquals([failure.kind, failure.status], ["context_length", 400]);
  });

  Deno.test(`${id} is not asked again for a request that is wrong`, async () => {
    const failure = await failureAt(id, status(400));
    assertEquals([failure.kind, failure.message], ["request", `${id}: 400: scripted failure 400`]);
  });

  Deno.test(`${id} ends in mid-stream when the signal is aborted`, async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    await using server = wireServer(() => ({ text: "x", fault: { kind: "hang", afterEvents: 2 } }));
    using send = modelFetch();
    const model = await modelAt(server, id, { fetch: fetchFrom(server, send) });
    const onRetry = () => assert(false, "it was tried again");
    const patient = retrying(model, { gate: new Gate(), onRetry });
    const asked = patient.ask(request([user("go")], { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(reason);
    assertEquals(await assertRejects(() => asked), reason);
    assertEquals(server.requests.length, 1);
  });
}

async function failureAt(id: string, fault: Fault): Promise<ModelFailure> {
  return await assertRejects(() => afterFault(id, fault), ModelFailure);
}

/** How a single call fails there. */
async function callFails(url: string): Promise<[FailureKind, string]> {
  using send = modelFetch({ silenceMs: 10_000 });
  const id = "anthropic/claude-opus-4-8";
  const model = await openModel(id, { apiKey: "sk-hidden", proxyUrl: url, fetch: send });
  const asked = () => model.ask(request([user("go")]));
  const { kind, message } = await assertRejects(asked, ModelFailure);
  return [kind, message];
}

Deno.test("a connection that is reset after the request was read is no unreachable host", async () => {
  await using server = rawServer(async (connection) => {
    await connection.request();
  });
  const [kind, message] = await callFails(server.url);
  assertEquals(kind, "connection");
  assertStringIncludes(message, `the connection to ${server.url}`);
});

Deno.test("an answer that is no HTTP is a broken connection", async () => {
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.write("220 smtp.test ready\r\n");
  });
  assertEquals((await callFails(server.url))[0], "connection");
});

Deno.test("a server that is not up is unreachable, and named", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}`;
  listener.close();
  const [kind, message] = await callFails(url);
  assertEquals(kind, "unreachable");
  assertStringIncludes(message, `can't reach ${url}`);
  assertStringIncludes(message, "refused");
});

Deno.test("plain HTTP where TLS is spoken is not tried again", async () => {
  await using server = rawServer(async (connection) => {
    await connection.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
  });
  assertEquals((await callFails(server.url.replace("http:", "https:")))[0], "request");
});
