import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { type FailureKind, ModelFailure } from "../../src/protocol/model_failure.ts";
import { openModel } from "../../src/models/open_model.ts";
import { IDS, patientTurn } from "./patient.ts";
import { type Answer, answerServer } from "./wire/answers.ts";
import { callsOf, fetchFrom, modelAt, request, user } from "./wire/asking.ts";
import { data, named } from "./wire/format.ts";
import type { ScriptedTurn } from "./wire/script.ts";
import { wireServer } from "./wire/server.ts";

/** How often the model was asked, and what came of it, where that is the answer each time. */
async function failureOf(id: string, answer: Answer) {
  await using server = answerServer(answer);
  const { kind, message, status } = await assertRejects(
    () => patientTurn(server, id),
    ModelFailure,
  );
  return {
    kind,
    message,
    status,
    calls: server.asked.length,
    asked: server.asked[0]?.split("/").at(-1),
  };
}

const NO_STREAMS: readonly (readonly [what: string, answer: Answer, words: string])[] = [
  [
    "a page",
    {
      body: "<!DOCTYPE html><html><head><title>Acme portal</title><style>a{}</style></head>" +
        "<body>Please sign in.</body></html>",
      type: "text/html; charset=utf-8",
    },
    "answered with text/html; charset=utf-8 and no stream of events: Acme portal Please sign in.",
  ],
  [
    "a gateway's word",
    { body: '\n {"detail":"tenant is suspended"}', type: "application/json" },
    'answered with application/json and no stream of events: {"detail":"tenant is suspended"}',
  ],
  [
    "a whole completion",
    { body: '{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}' },
    "answered with text/event-stream and no stream of events: " +
    '{"choices":[{"message":{"content":"Hi"}',
  ],
  [
    "a word",
    { body: "OK", type: null },
    "answered with no content type and no stream of events: OK",
  ],
  [
    "nothing",
    { body: "", type: "text/plain" },
    "answered with text/plain and no stream of events: nothing",
  ],
];

for (const id of IDS) {
  for (const [what, answer, words] of NO_STREAMS) {
    Deno.test(`faults 3.2: ${id} answers with ${what}: asked once more, then it says what came`, async () => {
      const { kind, message, calls, asked } = await failureOf(id, answer);
      assertEquals([kind, calls], ["malformed", 2]);
      assertMatch(message, new RegExp(`^${id}: https://[a-z.]+/.*${asked}`));
      assertStringIncludes(message, words);
      assertStringIncludes(message, "(tried 2 times)");
    });
  }

  Deno.test(`faults 3.2: ${id} answers with an error where a stream is due: that is its error`, async () => {
    const type = "application/json";
    const error = (type: string) => JSON.stringify({ error: { type, message: "Not for you." } });
    const permanent = await failureOf(id, { body: error("billing_error"), type });
    assertEquals([permanent.kind, permanent.calls], ["request", 1]);
    assertEquals(permanent.message, `${id}: error in the stream: Not for you.`);
    const listed = await failureOf(id, { body: `[${error("invalid_request_error")}]`, type });
    assertEquals([listed.kind, listed.calls], ["request", 1]);
    const passing = await failureOf(id, { body: error("overloaded_error"), type });
    assertEquals([passing.kind, passing.calls], ["rate_limit", 16]);
  });

  Deno.test(`faults 3.2: ${id} may send a stream under another name`, async () => {
    await using server = wireServer([{ text: "Hi" }]);
    const rename: typeof fetch = async (input, init) => {
      const { body } = await fetch(input, init);
      return new Response(body, { headers: { "content-type": "text/plain" } });
    };
    const model = await modelAt(server, id, { fetch: fetchFrom(server, rename) });
    assertEquals((await model.ask(request([user("go")]))).message.content, "Hi");
  });
}

/** The error event of each wire format. */
function errorEvent(id: string, type: string): string {
  const message = "Your credit is used up.";
  const error = { type, message, code: null };
  if (id.startsWith("anthropic/")) return named("error", { type: "error", error });
  if (id.startsWith("openai/")) return named("error", { type: "error", code: type, message });
  if (id.startsWith("mistral/")) return data({ object: "error", type, message, code: "1000" });
  return data({ error });
}

const TYPES: readonly (readonly [type: string, kind: FailureKind, calls: number])[] = [
  ["billing_error", "request", 1],
  ["invalid_request_error", "request", 1],
  ["insufficient_quota", "request", 1],
  ["not_found_error", "request", 1],
  ["authentication_error", "authentication", 3],
  ["rate_limit_error", "rate_limit", 16],
  ["overloaded_error", "rate_limit", 16],
  ["api_error", "provider", 16],
];

for (const id of IDS) {
  for (const [type, kind, calls] of TYPES) {
    Deno.test(`faults 3.3: ${id} says ${type} in a stream: ${kind}`, async () => {
      const first = await failureOf(id, { body: errorEvent(id, type) });
      assertEquals([first.kind, first.calls], [kind, calls]);
      assertStringIncludes(first.message, "error in the stream: Your credit is used up.");
      if (kind === "rate_limit") assertEquals(first.status, 429);
      const edit = (events: readonly string[]) => [...events.slice(0, 3), errorEvent(id, type)];
      await using server = wireServer(() => ({ text: "Some words of a turn." }), { edit });
      const later = await assertRejects(() => patientTurn(server, id), ModelFailure);
      assertEquals([later.kind, server.requests.length], [kind, calls]);
    });
  }
}

interface FormFault {
  readonly id: string;
  readonly what: string;
  readonly from: string | RegExp;
  readonly to: string;
  readonly words: string;
}

const TURN: ScriptedTurn = {
  text: "Some words.",
  toolCalls: [{ name: "bash", arguments: '{"command":"ls"}' }],
  usage: { input: 7, output: 9 },
};

const FORM_FAULTS: readonly FormFault[] = [
  ...["mistral/mistral-large-latest", "deepseek/deepseek-chat"].flatMap((id) => [
    {
      ...{ id, what: "token counts as text", from: '"prompt_tokens":7', to: '"prompt_tokens":"7"' },
      words: "usage.prompt_tokens: expected number, received string",
    },
    {
      ...{
        id,
        what: "a number for a reason",
        from: /"finish_reason":"\w+"/,
        to: '"finish_reason":7',
      },
      words: "choices.0.finish_reason: expected string, received number",
    },
    {
      ...{ id, what: "an odd id", from: '"id":"chatcmpl-1"', to: '"id":{"a":1}' },
      words: "id: expected string, received object",
    },
    {
      ...{ id, what: "an odd id of a call", from: '"id":"call_1"', to: '"id":7' },
      words: "choices.0.delta.tool_calls.0.id: expected string, received number",
    },
  ]),
  {
    id: "anthropic/claude-opus-4-8",
    ...{ what: "token counts as text", from: '"input_tokens":7', to: '"input_tokens":"7"' },
    words: "message.usage.input_tokens: expected number, received string",
  },
  {
    id: "anthropic/claude-opus-4-8",
    ...{ what: "a number for a reason", from: '"stop_reason":"tool_use"', to: '"stop_reason":7' },
    words: "delta.stop_reason: expected string, received number",
  },
  {
    id: "openai/gpt-5.5",
    ...{ what: "token counts as text", from: '"input_tokens":7', to: '"input_tokens":"7"' },
    words: "response.usage.input_tokens: expected number, received string",
  },
  {
    id: "gemini/gemini-3-pro-preview",
    ...{
      what: "token counts as text",
      from: /"promptTokenCount":7/g,
      to: '"promptTokenCount":"7"',
    },
    words: "usageMetadata.promptTokenCount: expected number, received string",
  },
  {
    id: "gemini/gemini-3-pro-preview",
    ...{ what: "a number for a reason", from: '"finishReason":"STOP"', to: '"finishReason":7' },
    words: "candidates.0.finishReason: expected string, received number",
  },
];

for (const { id, what, from, to, words } of FORM_FAULTS) {
  Deno.test(`faults 3.4: ${id} sends ${what}: asked once more, then it says what was wrong`, async () => {
    const spoil = (events: readonly string[]) => events.map((event) => event.replace(from, to));
    {
      await using server = wireServer(() => TURN, { edit: spoil });
      const failure = await assertRejects(() => patientTurn(server, id), ModelFailure);
      assertEquals([failure.kind, server.requests.length], ["malformed", 2]);
      assertStringIncludes(failure.message, words);
    }
    const once = (events: readonly string[], index: number) => index === 0 ? spoil(events) : events;
    await using server = wireServer(() => TURN, { edit: once });
    const { turn, told } = await patientTurn(server, id);
    assertEquals([turn.message.content, told.length], [TURN.text, 1]);
  });
}

for (const id of IDS) {
  Deno.test(`faults 3.4: ${id} sends a line of bad JSON: asked once more, then it is shown`, async () => {
    const edit = (events: readonly string[]) => events.toSpliced(2, 0, 'data: {"a": oh\n\n');
    await using server = wireServer(() => TURN, { edit });
    const failure = await assertRejects(() => patientTurn(server, id), ModelFailure);
    assertEquals([failure.kind, server.requests.length], ["malformed", 2]);
    assertStringIncludes(failure.message, 'an event of the stream is no JSON: {"a": oh');
  });

  Deno.test(`faults 3.4: ${id} may send arguments as an object`, async () => {
    // In one piece, so that they are one object.
    const turn = { ...TURN, pieceLength: 100 };
    const edit = (events: readonly string[]) =>
      events.map((event) =>
        event.replaceAll(
          /"(arguments|partial_json|delta)":"(\{\\".*?\\"\})"/g,
          (_, name, text) => `"${name}":${JSON.parse(`"${text}"`)}`,
        )
      );
    await using server = wireServer([turn], { edit });
    const asked = await patientTurn(server, id);
    assertEquals([asked.told, callsOf(asked.turn)], [[], [["bash", '{"command":"ls"}']]]);
  });

  for (const [what, after] of Object.entries(aftermaths())) {
    Deno.test(`faults 3.4: ${id} ended its turn, and it is kept, though ${what} comes after`, async () => {
      await using server = wireServer(() => TURN, {
        edit: (events) => [...events.slice(0, endOf(events) + 1), ...after],
      });
      const { turn, told } = await patientTurn(server, id);
      assertEquals([told, server.requests.length], [[], 1]);
      assertEquals([turn.message.content, callsOf(turn).length], [TURN.text, 1]);
    });
  }

  Deno.test(`faults 3.4: ${id} ended its turn, and it is kept, though the connection breaks`, async () => {
    let end = 0;
    const script = () => ({ ...TURN, fault: { kind: "break_off", afterEvents: end + 1 } as const });
    const edit = (events: readonly string[]) => {
      end = endOf(events);
      return events;
    };
    await using server = wireServer(script, { edit });
    await patientTurn(server, id).catch(() => {}); // only to learn where the end is
    const before = server.requests.length;
    const { turn } = await patientTurn(server, id);
    assertEquals([turn.message.content, server.requests.length - before], [TURN.text, 1]);
  });
}

function aftermaths(): Record<string, string[]> {
  return {
    "bad JSON": ["data: {oh\n\n"],
    "an error": [data({ error: { type: "api_error", message: "late" } })],
    "an event of its own": [named("vendor.stats", { a: 1 })],
    "half an event": ["data: {"],
  };
}

/** The event that tells the end of the turn. */
function endOf(events: readonly string[]): number {
  const end =
    /"(finish_reason|stop_reason|finishReason)":"\w|"type":"response\.(completed|incomplete)"/;
  return events.findLastIndex((event) => end.test(event));
}

Deno.test("faults 3.4: what comes after [DONE] is not waited for", async () => {
  await using server = wireServer([{ ...TURN, fault: { kind: "hang", afterEvents: 99 } }]);
  const { turn } = await patientTurn(server, "deepseek/deepseek-chat");
  assertEquals(turn.message.content, TURN.text);
});

Deno.test("faults 3.2: a proxy's URL that holds the path of the API: the 404 names what was asked", async () => {
  await using server = answerServer({
    body: '{"detail":"Not Found"}',
    status: 404,
    type: "application/json",
  });
  const proxyUrl = `${server.url}/v1/chat/completions`;
  const model = await openModel("acme/x", { apiKey: "sk-test", proxyUrl, fetch });
  const failure = await assertRejects(() => model.ask(request([user("go")])), ModelFailure);
  assertEquals(
    failure.message,
    `acme/x: 404 at ${server.url}/v1/chat/completions/v1/chat/completions: Not Found`,
  );
});
