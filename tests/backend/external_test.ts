import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { BackendClient } from "../../src/host/backend/client.ts";
import {
  EXTERNAL_TIMES,
  ExternalAgentTimeoutError,
  ExternalSource,
} from "../../src/host/backend/external_source.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { StubBackend } from "./stub.ts";

const { signal } = new AbortController();

/** The external agent's message, as the original writes it. */
function messageOf(content: string, second: number) {
  return {
    timestamp: `2026-01-02T03:04:${second}.000000Z`,
    type: "message_added",
    message: {
      role: "assistant",
      content,
      tool_calls: [{ id: "c1", function: { name: "bash", arguments: "{}" }, type: "function" }],
      reasoning_content: null,
      tool_call_id: null,
    },
    finish_reason: "tool_calls",
    raw: null,
  };
}

function sourceOf(backend: StubBackend, clock = new FakeClock()) {
  const warnings: string[] = [];
  const client = new BackendClient({
    uri: backend.uri,
    runId: "r1",
    signal,
    tokenPath: "/dev/null",
    clock,
  });
  const source = new ExternalSource({
    client,
    clock,
    warn: (message) => {
      warnings.push(message);
    },
  });
  return { source, warnings, clock, [Symbol.dispose]: () => client[Symbol.dispose]() };
}

Deno.test("each message of the external agent is a turn, and is deleted once", async () => {
  await using backend = new StubBackend();
  using external = sourceOf(backend);
  const [first, second] = [messageOf("one", 10), messageOf("two", 11)];
  backend.messages.push(first, second);
  assertEquals(await external.source.nextTurn(signal), {
    message: first.message as never,
    finish_reason: "tool_calls",
    usage: null,
  });
  assertEquals(backend.messages, [second]);
  assertEquals((await external.source.nextTurn(signal)).message.content, "two");
  assertEquals(backend.messages, []);
  assertEquals(backend.count("delete_message"), 2);
  assertEquals(backend.problems, []);
});

Deno.test("a message whose deletion was or was not heard is taken once, and the next one is not lost", async () => {
  for (const fault of ["break", "do and break", { status: 500 }] as const) {
    await using backend = new StubBackend();
    using external = sourceOf(backend);
    backend.messages.push(messageOf("one", 10), messageOf("two", 11), messageOf("three", 12));
    backend.fail("delete_message", fault);
    const taken: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      taken.push((await external.source.nextTurn(signal)).message.content);
    }
    assertEquals(taken, ["one", "two", "three"]);
    assertEquals(backend.messages, []);
    assertEquals(backend.problems, []);
  }
});

Deno.test("what agents may leave out is filled in; what is no assistant's message is refused", async () => {
  await using backend = new StubBackend();
  using external = sourceOf(backend);
  const event = { timestamp: "t", type: "message_added" };
  backend.messages.push({ ...event, message: { content: "hi" } });
  assertEquals(await external.source.nextTurn(signal), {
    message: {
      role: "assistant",
      content: "hi",
      tool_calls: null,
      reasoning_content: null,
      tool_call_id: null,
    },
    finish_reason: null,
    usage: null,
  });
  const bad = [
    null,
    [],
    "hi",
    { ...event, type: "scoring", message: { content: "hi" } },
    { ...event, message: { role: "user", content: "hi" } },
    { ...event, message: { content: 5 } },
    { ...event, message: { content: "hi", tool_calls: [{ id: "x" }] } },
    { ...event, message: [] },
    { type: "message_added", message: { content: "without its time" } },
  ];
  for (const message of bad) {
    backend.messages.splice(0, Infinity, message);
    const error = await assertRejects(() => external.source.nextTurn(signal), KarotteError);
    assertStringIncludes(error.message, "Cannot take a message of the external agent: ");
    // It was not taken, so it stays for whoever looks into it.
    assertEquals(backend.messages, [message]);
  }
});

Deno.test("a backend that answers at once is not asked without a pause, and waiting ends", async () => {
  await using backend = new StubBackend();
  // The stub answers in no time of this clock, so each round is a pause.
  const clock = new FakeClock();
  const times = { ...EXTERNAL_TIMES, limitMs: 95_000, spacingMs: 1_000 };
  const warnings: string[] = [];
  using client = new BackendClient({
    uri: backend.uri,
    runId: "r1",
    signal,
    tokenPath: "/dev/null",
    clock,
  });
  const warn = (message: string) => {
    warnings.push(message);
  };
  const source = new ExternalSource({ client, clock, times, warn });
  const error = await assertRejects(() => source.nextTurn(signal), ExternalAgentTimeoutError);
  assertStringIncludes(error.message, "no message for 2 minutes");
  assertEquals(backend.count("get_message"), 95);
  assertEquals(warnings, [30, 60, 90].map((s) => `no message of the external agent for ${s} s`));
  assertEquals([EXTERNAL_TIMES.limitMs, EXTERNAL_TIMES.spacingMs], [7_200_000, 100]);
});

Deno.test("an answer that breaks off or fails is asked for again", async () => {
  await using backend = new StubBackend();
  using external = sourceOf(backend);
  backend.messages.push(messageOf("one", 10));
  backend.fail("get_message", { status: 404 }, { status: 502 }, "do and break", { status: 404 });
  assertEquals((await external.source.nextTurn(signal)).message.content, "one");
  assertEquals(backend.count("get_message"), 5);
});

Deno.test("waiting ends with the signal", async () => {
  await using backend = new StubBackend();
  using external = sourceOf(backend);
  const controller = new AbortController();
  backend.fail("get_message", "hang");
  const turn = external.source.nextTurn(controller.signal);
  turn.catch(() => {}); // looked at below
  for (let n = 0; n < 500 && backend.count("get_message") === 0; n++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert(backend.count("get_message") === 1);
  controller.abort(new Error("the step is over"));
  await assertRejects(() => turn, Error, "the step is over");
});
