import { assertEquals, assertStringIncludes } from "@std/assert";
import { probeTask, testEnvironment } from "../cli/environment.ts";
import { karotte } from "../cli/karotte.ts";
import { StubBackend } from "./stub.ts";

const message = (fields: Record<string, unknown>) => ({
  timestamp: "2026-01-02T03:04:05.678Z",
  type: "message_added",
  message: {
    role: "assistant",
    content: null,
    tool_calls: null,
    reasoning_content: null,
    tool_call_id: null,
    ...fields,
  },
  finish_reason: null,
  raw: null,
});

const call = (command: string) => ({
  id: "c1",
  function: { name: "bash", arguments: JSON.stringify({ command }) },
  type: "function",
});

const FILES = {
  "tasks/probe.ts": probeTask("new AlwaysPassJudge()", {
    fields: 'preHook: (context) => context.saveArtifact("/etc/hostname"),',
  }),
};

function config(backend: StubBackend): string {
  return JSON.stringify({
    run_id: "r1",
    task_id: "probe",
    agent: "external",
    model: "anthropic/claude-opus-5",
    backend_uri: backend.uri,
  });
}

Deno.test("an external agent plays the student by way of the backend, which gets all of the run", async () => {
  await using environment = await testEnvironment(FILES);
  await using backend = new StubBackend();
  backend.messages.push(
    message({ tool_calls: [call("echo out of the sandbox")] }),
    message({ content: "Done." }),
  );
  const env = { ANTHROPIC_API_KEY: "", KAROTTE_BACKEND_TOKEN_PATH: "/dev/null" };
  const said = await karotte(["run", "--config", config(backend)], { cwd: environment.path, env });
  assertEquals(said.code, 0, said.stderr);
  assertStringIncludes(said.stdout, "run r1: passed");
  const transcript = JSON.parse(await Deno.readTextFile(`${environment.path}/out/r1.json`));
  assertEquals(backend.events, transcript.events);
  assertStringIncludes(JSON.stringify(backend.events), "out of the sandbox");
  assertEquals(backend.states.at(-1)?.status, "passed");
  assertEquals([...backend.artifacts.keys()], ["hostname"]);
  assertEquals([backend.messages, backend.problems], [[], []]);
});

Deno.test("a backend that refuses is the run's fault, and loses nothing that is on disk", async () => {
  await using environment = await testEnvironment(FILES);
  await using backend = new StubBackend({ token: "another" });
  const env = { KAROTTE_BACKEND_TOKEN_PATH: "/dev/null" };
  const said = await karotte(["run", "--config", config(backend)], { cwd: environment.path, env });
  assertEquals(said.code, 1);
  assertStringIncludes(said.stderr, "The backend does not have the whole run");
  const transcript = JSON.parse(await Deno.readTextFile(`${environment.path}/out/r1.json`));
  assertEquals(transcript.events.at(-1).status, "error");
});
