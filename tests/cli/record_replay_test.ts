import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { wireServer } from "../models/wire/server.ts";
import { bashScript, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

const task = (instructions: string) => `
  import { createTask, RubricJudge, transcript } from "@karotte/cli/sdk";
  export default createTask({
    id: "probe",
    tools: ["bash"],
    systemPrompt: null,
    steps: [{
      instructions: ${JSON.stringify(instructions)},
      judge: new RubricJudge({
        rubric: [{ criterion: "It greets.", weight: 1 }],
        context: [transcript({ tool: "*" })],
      }),
    }],
  });`;

const KEY = "sk-test-0123456789abcdef";

/** A transcript without what differs from run to run. */
async function eventsOf(path: string): Promise<string> {
  const text = await Deno.readTextFile(path);
  return text.replace(/"timestamp": "[^"]+"/g, "").replace(/"run_id": "[^"]+"/g, "")
    .replace(/"resource_metrics": \{.*?\n {6}\}/gs, "");
}

Deno.test("runs are replayed from their recording, without a network and without a key", async () => {
  await using environment = await testEnvironment({
    "tasks/probe.ts": task("Greet."),
    "fake_model.ts": bashScript(),
  });
  const { path: cwd } = environment;
  const model = ["run", "--task", "probe", "--model", "anthropic/claude-opus-5"];
  const many = ["-n", "2", "--run-id"];
  {
    let calls = 0;
    await using server = wireServer(({ body }) => {
      if (calls++ === 0) {
        return { fault: { kind: "status", status: 503, headers: { "retry-after": "1" } } };
      }
      const { messages, tools } = body as { messages: unknown[]; tools?: unknown[] };
      if (tools === undefined) return { text: "YES\nIt does." };
      if (messages.length > 1) return { text: `Done, ${KEY}.` };
      return { toolCalls: [{ name: "bash", arguments: '{"command":"echo hello"}' }] };
    });
    const record = ["--proxy", server.url, "--record", "calls.ndjson"];
    const env = { ANTHROPIC_API_KEY: KEY };
    const said = await karotte([...model, ...many, "recorded-run", ...record], { cwd, env });
    assertEquals(said.code, 0, said.stderr);
    const again = await karotte([...model, ...record], { cwd, env });
    assertEquals(again.code, 2);
    assertStringIncludes(
      again.stderr,
      'Cannot record to "calls.ndjson": the file is there already',
    );
  }
  const recording = await Deno.readTextFile(`${cwd}/calls.ndjson`);
  assertEquals(recording.trimEnd().split("\n").length, 7);
  assert(!recording.includes(KEY));
  const replay = ["--replay", "calls.ndjson"];
  const env = { ANTHROPIC_API_KEY: "" };
  const said = await karotte([...model, ...many, "replayed-run", ...replay], { cwd, env });
  assertEquals(said.code, 0, said.stderr);
  for (const index of [0, 1]) {
    assertEquals(
      await eventsOf(`${cwd}/out/replayed-run_${index}.json`),
      await eventsOf(`${cwd}/out/recorded-run_${index}.json`),
    );
  }

  await environment.write("tasks/probe.ts", task("Greet loudly."));
  const other = await karotte([...model, ...replay], { cwd, env });
  assertEquals(other.code, 1);
  assertStringIncludes(
    other.stderr,
    'exchange 1 of run 0 differs at body.messages[0].content[0].text: recorded "Greet.", ' +
      'now "Greet loudly."',
  );
});

Deno.test("faults 3.6: a recording says the route: no provider, no key and no proxy is needed", async () => {
  await using environment = await testEnvironment({
    "tasks/probe.ts": task("Greet."),
    "fake_model.ts": bashScript(),
  });
  const { path: cwd } = environment;
  const run = ["run", "--task", "probe", "--model", "acme/house-model"];
  {
    await using server = wireServer(({ body }) => ({
      text: (body as { tools?: unknown[] }).tools === undefined ? "YES" : "Hello.",
    }));
    const route = ["--proxy", server.url, "--model-api-key", "$HOUSE_KEY"];
    const record = [...route, "--record", "calls.ndjson"];
    const unset = await karotte([...run, ...record], { cwd });
    assertEquals(unset.code, 2, unset.stderr);
    assertStringIncludes(unset.stderr, "HOUSE_KEY, which model_api_key names, is not set");
    const said = await karotte([...run, ...record, "--run-id", "live"], {
      cwd,
      env: { HOUSE_KEY: KEY },
    });
    assertEquals(said.code, 0, said.stderr);
  }
  for (
    const flags of [[], ["--proxy", "http://elsewhere.test"], ["--model-api-key", "$HOUSE_KEY"]]
  ) {
    const replay = ["--replay", "calls.ndjson", "--run-id", "again", ...flags];
    const said = await karotte([...run, ...replay], { cwd });
    assertEquals(said.code, 0, said.stderr);
    assert(!said.stderr.includes("proxy for model calls"), said.stderr);
    assertEquals(await eventsOf(`${cwd}/out/again.json`), await eventsOf(`${cwd}/out/live.json`));
    await Deno.remove(`${cwd}/out/again.json`);
    await Deno.remove(`${cwd}/out/again.events.ndjson`);
  }
  for (const flag of ["--fake-model", "--replay"]) {
    const more = flag === "--replay" ? ["calls.ndjson"] : [];
    const args = [
      ...run,
      flag,
      ...more,
      "--model-api-key",
      "$HOUSE_KEY",
      "--run-id",
      flag.slice(2),
    ];
    const said = await karotte(args, { cwd });
    assert(!said.stderr.includes("HOUSE_KEY, which model_api_key"), said.stderr);
  }
});

Deno.test("a recording that is none, and both flags at once, are refused", async () => {
  await using environment = await testEnvironment({ "tasks/probe.ts": task("Greet.") });
  const { path: cwd } = environment;
  await Deno.writeTextFile(`${cwd}/other.ndjson`, '{"a":1}\n');
  const refused = async (...flags: string[]) => {
    const args = ["run", "--task", "probe", "--model", "anthropic/x", ...flags];
    const { code, stderr } = await karotte(args, { cwd });
    assertEquals(code, 2, stderr);
    return stderr;
  };
  assertStringIncludes(await refused("--replay", "other.ndjson"), "no exchange with a model");
  assertStringIncludes(await refused("--replay", "none.ndjson"), "No such file");
  assertStringIncludes(await refused("--replay", "a", "--record", "b"), "one or the other");
});

Deno.test("a recording is the invoking user's, and a run that can't start leaves none", async () => {
  await using environment = await testEnvironment({ "tasks/probe.ts": task("Greet.") });
  await using server = wireServer([{ text: "Hello." }]);
  const { path: cwd } = environment;
  const env = { ANTHROPIC_API_KEY: KEY, SUDO_UID: "1234", SUDO_GID: "1234" };
  const flags = ["--model", "anthropic/x", "--proxy", server.url, "--record", "calls.ndjson"];
  const failed = await karotte(["run", "--task", "none", ...flags], { cwd, env });
  assertEquals(failed.code, 2, failed.stderr);
  const said = await karotte(["run", "--task", "probe", ...flags], { cwd, env });
  assertEquals(said.code, 0, said.stderr);
  assertEquals((await Deno.stat(`${cwd}/calls.ndjson`)).uid, 1234);
});
