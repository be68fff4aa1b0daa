import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { openBackend } from "../../src/host/backend/backend.ts";
import { claimOutputFiles } from "../../src/records/output_files.ts";
import { Recorder } from "../../src/records/recorder.ts";
import { runConfigSchema } from "../../src/schemas/run_config.ts";
import { StubBackend } from "./stub.ts";

const { signal } = new AbortController();
const warn = () => {};

function configOf(backend_uri: string | null, agent: string | null = null) {
  return runConfigSchema.parse({ run_id: "r1", task_id: "t", model: "m", backend_uri, agent });
}

Deno.test("a config without a backend has none, unless its agent needs one", () => {
  const options = { eventsPath: "/dev/null", warn, signal };
  assertEquals(openBackend(configOf(null), options), undefined);
  const error = assertThrows(() => openBackend(configOf(null, "external"), options), KarotteError);
  assertEquals(error.code, "usage");
  const scripted = { ...configOf(null, "external"), use_fake_model: true };
  assertEquals(openBackend(scripted, options), undefined);
  assertThrows(() => openBackend(configOf("backend:80"), options), KarotteError, "backend_uri");
  const missing = { ...options, eventsPath: "/dev/null/events" };
  assertThrows(() => openBackend(configOf("http://127.0.0.1"), missing));
});

Deno.test("what a recorder puts on disk reaches the backend, artifacts too", async () => {
  await using dir = await tempDir();
  await using stub = new StubBackend({ token: "some-token" });
  await Deno.writeTextFile(`${dir.path}/token`, "some-token");
  const config = configOf(stub.uri, "external");
  const files = await claimOutputFiles(config, { directory: dir.path, name: "r1" });
  using recorder = new Recorder("r1", files);
  await using backend = openBackend(config, {
    eventsPath: files.eventsPath,
    warn,
    signal,
    tokenPath: `${dir.path}/token`,
  });
  const message = { role: "assistant", content: "hi" };
  stub.messages.push({ timestamp: "t", type: "message_added", message });
  const turn = await backend?.external().nextTurn(signal);
  assertEquals(turn?.message.content, "hi");
  await Promise.all([0, 1, 2].map(async (step) => {
    await recorder.recordNew({ type: "step_started", step });
    backend?.stream.wake();
  }));
  await recorder.recordNew({ type: "task_completed", status: "failed" });
  await Deno.mkdir(`${dir.path}/kept`);
  await Deno.writeTextFile(`${dir.path}/kept/file`, "content");
  await backend?.uploadArtifacts(`${dir.path}/kept`);
  assertEquals(await backend?.stream.finish(), undefined);
  const sent = stub.events?.map(({ type, step }) => step ?? type);
  assertEquals(sent, [0, 1, 2, "task_completed"]);
  assertEquals(stub.states.at(-1)?.["status"], "failed");
  assertEquals(stub.artifacts, new Map([["file", "content"]]));
  assertEquals(stub.problems, []);
});

Deno.test("after an interrupt the backend has a moment for the rest", async () => {
  for (const isThere of [true, false]) {
    await using dir = await tempDir();
    await using stub = new StubBackend();
    const eventsPath = `${dir.path}/events`;
    await Deno.writeTextFile(eventsPath, "");
    const user = new AbortController();
    await using backend = openBackend(configOf(stub.uri), {
      eventsPath,
      warn,
      signal: user.signal,
      tokenPath: `${dir.path}/token`,
      interruptGraceMs: isThere ? 60_000 : 200,
    });
    if (!isThere) stub.fail("transcript_length", ...Array(1_000).fill({ status: 503 }));
    user.abort(new Error("Interrupted by SIGINT"));
    await Deno.writeTextFile(eventsPath, '{"type":"task_completed","status":"error"}\n');
    const fault = await backend?.stream.finish();
    if (isThere) assertEquals([fault, stub.events?.length], [undefined, 1]);
    else assertStringIncludes(fault ?? "", "Interrupted by SIGINT");
  }
});

Deno.test("a backend that is disposed of in the middle of a run lets go of everything", async () => {
  await using dir = await tempDir();
  await using stub = new StubBackend();
  const eventsPath = `${dir.path}/events`;
  await Deno.writeTextFile(eventsPath, '{"type":"step_started","step":0}\n');
  stub.fail("transcript_length", "hang");
  const backend = openBackend(configOf(stub.uri), {
    eventsPath,
    warn,
    signal,
    tokenPath: `${dir.path}/token`,
  });
  backend?.stream.wake();
  for (let n = 0; n < 500 && stub.calls.length === 0; n++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await backend?.[Symbol.asyncDispose]();
  assertEquals(stub.calls.length, 1);
});
