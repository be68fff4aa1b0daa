import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { BackendClient } from "../../src/host/backend/client.ts";
import { BackendRefusal } from "../../src/host/backend/failure.ts";
import { runStateOf } from "../../src/host/backend/run_state.ts";
import { RunSummary } from "../../src/records/run_summary.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { StubBackend } from "./stub.ts";

const { signal } = new AbortController();

function clientOf(uri: string, tokenPath: string): BackendClient {
  return new BackendClient({ uri, runId: "r1", signal, tokenPath, clock: new FakeClock() });
}

Deno.test("the token is read for each try, and no file means no header", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const path = `${dir.path}/token`;
  using client = clientOf(backend.uri, path);
  assertEquals(await client.transcriptLength(), null);
  backend.token = "first-token";
  await Deno.writeTextFile(path, "first-token\n");
  await client.createTranscript();
  backend.token = "second-token";
  await Deno.writeTextFile(path, "second-token");
  assertEquals(await client.transcriptLength(), 0);
  await Deno.writeTextFile(path, " \n");
  backend.token = undefined;
  assertEquals(await client.transcriptLength(), 0);
  assertEquals(backend.calls.map(({ authorization }) => authorization), [
    undefined,
    "Bearer first-token",
    "Bearer second-token",
    undefined,
  ]);
  assertEquals(backend.problems, []);
});

Deno.test("a token is sent over https, or to this machine, and else not at all", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/token`;
  await Deno.writeTextFile(path, "the-token");
  for (const host of ["backend.invalid", "127.0.0.1.invalid", "[fd00::1]:1"]) {
    using client = clientOf(`http://${host}/api`, path);
    const error = await assertRejects(() => client.transcriptLength(), KarotteError);
    const message = `Cannot use backend_uri "http://${host}": the token would travel in plain text`;
    assertEquals([error.code, error.message], ["usage", message]);
    assert(!Deno.inspect(error).includes("the-token"));
  }
});

Deno.test("a refused token is told at once, by its place and never by its text", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend({ token: "right-token" });
  const path = `${dir.path}/token`;
  using client = clientOf(backend.uri, path);
  const missing = await assertRejects(() => client.transcriptLength(), BackendRefusal);
  assertStringIncludes(missing.hint ?? "", `no token was sent: none is in "${path}"`);
  await Deno.writeTextFile(path, "wrong-token");
  backend.fail("transcript_length", { status: 403, body: 'who is "wrong-token"?' });
  const wrong = await assertRejects(() => client.transcriptLength(), BackendRefusal);
  assertStringIncludes(wrong.message, 'it answered 403: who is "[redacted]"?');
  assertEquals(wrong.hint, `the token is the one in "${path}"`);
  assertEquals(backend.calls.length, 2);
});

Deno.test("a token that is none is not sent and not shown", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const path = `${dir.path}/token`;
  using client = clientOf(backend.uri, path);
  for (const text of ["two\nlines", "sp ace", "caf\u00e9", "a\0b"]) {
    await Deno.writeTextFile(path, text);
    const error = await assertRejects(() => client.transcriptLength(), KarotteError);
    assertEquals(error.message, `Cannot use the backend's token "${path}": it is no token`);
  }
  await Deno.remove(path);
  await Deno.mkdir(path);
  const error = await assertRejects(() => client.transcriptLength(), KarotteError);
  assertStringIncludes(error.message, `Cannot read the backend's token "${path}"`);
  assertEquals(backend.calls, []);
});

Deno.test("a redirect is not followed, and nobody else sees the token", async () => {
  await using dir = await tempDir();
  await using elsewhere = new StubBackend();
  await using backend = new StubBackend();
  await Deno.writeTextFile(`${dir.path}/token`, "some-token");
  using client = clientOf(backend.uri, `${dir.path}/token`);
  const state = runStateOf(new RunSummary());
  for (const status of [301, 302, 307, 308]) {
    backend.fail("update_run_state", { status, headers: { location: elsewhere.uri } });
    const error = await assertRejects(() => client.updateRunState(state), BackendRefusal);
    assertEquals([error.status, error.hint], [status, "redirects are not followed"]);
  }
  assertEquals(elsewhere.calls, []);
});

Deno.test("the base URL may have a path; anything odd about it is a usage error", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  using client = clientOf(`${backend.uri}/some/prefix`, `${dir.path}/token`);
  // The stub is not there, and says at which path it was asked.
  assertEquals(await client.transcriptLength(), null);
  assertEquals(backend.problems, ["unknown call GET /some/prefix/api/internal/transcript_length"]);
  const bad = ["", "backend:80", "file:///etc", "http://h/?a=1", "http://h/#a", "http://u:pw1@h/"];
  for (const uri of bad) {
    const error = assertThrows(() => clientOf(uri, ""), KarotteError);
    assertStringIncludes(error.message, "Cannot use backend_uri");
    assertEquals(error.code, "usage");
    assert(!error.message.includes("pw1"));
  }
});

Deno.test("an address where nobody listens is told without more of it than its origin", async () => {
  await using dir = await tempDir();
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  using client = clientOf(`http://127.0.0.1:${port}/prefix`, `${dir.path}/token`);
  const error = await assertRejects(() => client.transcriptLength(), KarotteError);
  const origin = `http://127.0.0.1:${port}`;
  assertStringIncludes(error.message, `Cannot call "transcript_length" of the backend "${origin}"`);
  assertStringIncludes(error.message, "Connection refused");
  assert(!error.message.includes("run_id"), error.message);
});

Deno.test("an answer of another kind is an error, and is not repeated in it", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  using client = clientOf(backend.uri, `${dir.path}/token`);
  backend.fail("transcript_length", { status: 200, body: "<html>" }, { status: 200, body: "-1" });
  backend.fail("presign", { status: 200, body: "null" }, {
    status: 200,
    body: '{"presigned_urls":[]}',
  });
  const said = async (call: () => Promise<unknown>) =>
    (await assertRejects(call, BackendRefusal)).message.replace(/.*: /, "");
  assertEquals(
    await said(() => client.transcriptLength()),
    "it answered something else than JSON",
  );
  assertEquals(
    await said(() => client.transcriptLength()),
    "it answered something else than a length",
  );
  const presigned = "it answered something else than presigned_urls";
  assertEquals(await said(() => client.presign(["a"])), presigned);
  assertEquals(await client.presign([]), new Map());
});
