import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { RpcRefusal } from "../../src/base/rpc_peer.ts";
import { ModelFailure } from "../../src/protocol/model_failure.ts";
import { message } from "../../src/schemas/message.ts";
import type { Turn } from "../../src/protocol/turn.ts";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { LINK_SUBJECTS, type LinkLab, type LinkOptions } from "./host_links.ts";

/** Registers a behaviour for both ways to a host. */
function onEach(
  name: string,
  body: (lab: LinkLab) => Promise<void>,
  options: () => LinkOptions = () => ({}),
): void {
  for (const subject of LINK_SUBJECTS) {
    Deno.test(`host link ${subject.name}: ${name}`, () => subject.use(options(), body));
  }
}

const added = (content: string): TranscriptEvent => ({
  timestamp: "2026-01-02T03:04:05.678Z",
  type: "message_added",
  message: message({ role: "user", content }),
  finish_reason: null,
  raw: null,
});

const turn = (content: string): Turn => ({
  message: message({ role: "assistant", content }),
  finish_reason: "stop",
  usage: null,
});

const unlimited = () => ({ signal: new AbortController().signal, remainingMs: null });

async function* bytes(...sizes: number[]) {
  for (const size of sizes) yield new Uint8Array(size);
}

onEach("events are on disk in order once they are recorded", async ({ link, events }) => {
  const sizes = [1, 3_000_000, 2];
  for (const size of sizes) await link.record(added("x".repeat(size)));
  await link.recorded();
  const lines = (await events()).trimEnd().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line).message.content.length), sizes);
});

onEach("a turn is of all that was recorded, and no secret comes back", async ({ link }) => {
  await link.declareTools([{ name: "t", description: "d", input_schema: { type: "object" } }]);
  await link.record(added("one"));
  await link.record(added("x".repeat(2_000_000)));
  assertEquals(await link.nextTurn(unlimited()), turn("2 messages, 1 tool, [redacted]"));
}, () => ({
  student: ({ messages, tools }) =>
    Promise.resolve(turn(`${messages.length} messages, ${tools.length} tool, sk-secret`)),
}));

onEach("a model's failure keeps its kind, another error its name", async ({ link }) => {
  const failure = await assertRejects(() => link.nextTurn(unlimited()), ModelFailure, "too long");
  assertEquals(failure.kind, "context_length");
  const question = { prompt: "?" };
  const asked = link.askJudge(question, new AbortController().signal);
  const error = await assertRejects(() => asked, Error, "not listed");
  assertEquals(error.name, "RangeError");
}, () => ({
  student: () => Promise.reject(new ModelFailure("too long", { kind: "context_length" })),
  judge: () => Promise.reject(new RangeError("not listed")),
}));

const LONG = "Grüße 🥕 ".repeat(1_000_000);

const LONG_TURN: Turn = {
  message: message({
    role: "assistant",
    content: LONG,
    reasoning_content: LONG,
    tool_calls: [{
      id: "c1",
      function: { name: "bash", arguments: JSON.stringify({ command: LONG }) },
      type: "function",
    }],
  }),
  finish_reason: "tool_calls",
  usage: null,
};

onEach("faults 3.5: a turn and a judge's answer may be longer than any line", async ({ link }) => {
  assertEquals(await link.nextTurn(unlimited()), LONG_TURN);
  const answer = await link.askJudge({ prompt: "?" }, new AbortController().signal);
  assertEquals(answer.text, LONG);
}, () => ({
  student: () => Promise.resolve(LONG_TURN),
  judge: () => Promise.resolve({ text: LONG, finish_reason: "stop", usage: null, model: "m" }),
}));

onEach("a judge gets a model's answer", async ({ link }) => {
  const question = { prompt: "good?", model: "m2" };
  assertEquals(await link.askJudge(question, new AbortController().signal), {
    text: "good? YES",
    finish_reason: "stop",
    usage: null,
    model: "m2",
  });
}, () => ({
  judge: ({ prompt, model = "" }) =>
    Promise.resolve({ text: `${prompt} YES`, finish_reason: "stop", usage: null, model }),
}));

onEach("no more turns than the run's limit", async ({ link }) => {
  await link.nextTurn(unlimited());
  const error = await assertRejects(() => link.nextTurn(unlimited()), Error, "had its 1 turns");
  assertEquals(error.name, "TurnLimitError");
}, () => ({ turnLimit: 1, student: () => Promise.resolve(turn("hi")) }));

onEach("a call ends with the reason of its signal", async ({ link }) => {
  const stop = new AbortController();
  const asked = link.nextTurn({ signal: stop.signal, remainingMs: null });
  setTimeout(() => stop.abort(new Error("enough")), 10);
  await assertRejects(() => asked, Error, "enough");
}, () => ({
  student: (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
}));

onEach("artifact files are kept under their names", async ({ link, artifacts }) => {
  await link.saveArtifactFile(
    { number: 0, path: ["a", "b"], executable: false },
    bytes(1, 600_000),
  );
  await link.saveArtifactFile({ number: 0, path: ["a", "c"], executable: true }, bytes());
  assertEquals(await artifacts(), { "a/b": 600_001, "a/c": 0 });
});

onEach("a file beyond the limits is refused and leaves nothing", async ({ link, artifacts }) => {
  const file = (name: string) => ({ number: 0, path: [name], executable: false });
  await link.saveArtifactFile(file("small"), bytes(50));
  await assertRejects(() => link.saveArtifactFile(file("big"), bytes(60)), RpcRefusal, "100 bytes");
  await assertRejects(() => link.saveArtifactFile(file(".."), bytes(1)), RpcRefusal, "unsafe name");
  assertEquals(await artifacts(), { small: 50 });
}, () => ({ artifactLimits: { artifactBytes: 100, artifactEntries: 10, runBytes: 100 } }));

onEach("an error of the file's reader stays what it is", async ({ link, artifacts }) => {
  async function* torn() {
    yield new Uint8Array(10);
    throw new SyntaxError("torn");
  }
  const file = { number: 0, path: ["a"], executable: false };
  await assertRejects(() => link.saveArtifactFile(file, torn()), SyntaxError, "torn");
  assertEquals(await artifacts(), {});
});

onEach("the last word comes when everything is on disk", async ({ link, events }) => {
  await link.activity({ name: "a", kind: "setup" });
  await link.record(added("last sk-secret"));
  await link.finish();
  const text = await events();
  assertStringIncludes(text, "last [redacted]");
  assert(text.endsWith("\n"));
});
