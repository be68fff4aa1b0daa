import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { bashScript, probeTask, type TestEnvironment, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

const GOOD = {
  "fake_model.ts": bashScript(),
  "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
};

/** The command is refused with exit 2 and one line each of error and hint; nothing is written. */
async function refusal(environment: TestEnvironment, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await karotte(args, { cwd: environment.path });
  assertEquals([code, stdout], [2, ""], stderr);
  assertMatch(stderr, /^error: [^\n]+\n(hint: [^\n]+\n)?$/);
  const written = await Array.fromAsync(Deno.readDir(environment.path));
  assertEquals(written.map(({ name }) => name).includes("out"), false);
  return stderr;
}

const inline = (fields: Record<string, unknown>) => [
  "run",
  "--config",
  JSON.stringify({ run_id: "r1", task_id: "probe", model: "m", use_fake_model: true, ...fields }),
];

Deno.test("a config that is missing, not JSON or of a wrong type is refused by name", async () => {
  await using environment = await testEnvironment(GOOD);
  await environment.write("/broken.json", '{\n  "run_id": "r1",,\n}');
  const missing = await refusal(environment, ["run", "--config", "nowhere.json"]);
  assertStringIncludes(missing, '"nowhere.json"');
  const broken = await refusal(environment, ["run", "--config", "broken.json"]);
  assertMatch(broken, /broken\.json.*line 2, column 18/);
  const wrong = await refusal(environment, inline({ turn_limit: "ten" }));
  assertMatch(wrong, /turn_limit: expected .*integer.*"ten"/);
});

Deno.test("an unknown task lists those that there are", async () => {
  await using environment = await testEnvironment(GOOD);
  const said = await refusal(environment, ["run", "--task", "prob", "--fake-model"]);
  assertStringIncludes(said, 'task "prob"');
  assertStringIncludes(said, '"probe"');
});

Deno.test("a run id that is no file name is refused", async () => {
  await using environment = await testEnvironment(GOOD);
  for (const run_id of ["../x", "a/b", "a..b", "", "-x", "."]) {
    assertStringIncludes(await refusal(environment, inline({ run_id })), "run_id");
  }
});

Deno.test("a task that can't be bundled is refused with file, line and column", async () => {
  await using environment = await testEnvironment({
    ...GOOD,
    "tasks/broken.ts": "export const a = 1;\nexport const b = (;\n",
  });
  const said = await refusal(environment, ["run", "--task", "probe", "--fake-model"]);
  assertMatch(said, /tasks\/broken\.ts:2:19: /);
});

Deno.test("a task that throws while it is loaded is refused with its place", async () => {
  await using environment = await testEnvironment({
    ...GOOD,
    "tasks/throwing.ts": "\nthrow new Error('not today');\n",
  });
  const said = await refusal(environment, ["tasks", "list"]);
  assertMatch(said, /src\/environment\/tasks\/throwing\.ts:2:7: .*not today/);
});

Deno.test("a folder that is no environment is refused, and says how to get one", async () => {
  await using environment = await testEnvironment(GOOD);
  const missing = await refusal(environment, ["-C", "nowhere", "tasks", "list"]);
  assertStringIncludes(missing, "nowhere");
  const other = await refusal(environment, ["-C", "src", "run", "--task", "x", "--fake-model"]);
  assertStringIncludes(other, "create-env");
});

Deno.test("a model, an effort or an agent that can't be had is refused before anything starts", async () => {
  await using environment = await testEnvironment(GOOD);
  const refused = (...flags: string[]) =>
    refusal(environment, ["run", "--task", "probe", "--model", ...flags]);
  assertStringIncludes(await refused("acme/x"), 'Cannot use model "acme/x": there is no provider');
  assertStringIncludes(await refused("foo"), 'Cannot use model "foo": it names no provider');
  assertStringIncludes(await refused("vertex_ai/x"), "Vertex AI is not supported");
  assertStringIncludes(await refused("a b"), 'Cannot use model "a b": it has a blank');
  const effort = await refused("openai/gpt-5", "--reasoning-effort", "huge");
  assertStringIncludes(effort, "accepted: min, minimal, low, medium, high, max");
  const agent = JSON.stringify({ run_id: "r", task_id: "t", model: "openai/x", agent: "vibe" });
  assertStringIncludes(await refused("openai/x", "--config", agent), "no such agent");
  const external = agent.replace("vibe", "external");
  assertStringIncludes(await refused("openai/x", "--config", external), "no backend_uri");
});

Deno.test("what only container engines have is refused where bubblewrap is the runtime", async () => {
  await using environment = await testEnvironment(GOOD);
  const run = ["run", "--task", "probe", "--fake-model"];
  const dev = await refusal(environment, [...run, "--dev"]);
  assertStringIncludes(dev, '--dev: "bubblewrap" always uses the current files\n');
  for (const flags of [["--network", "internal"], ["--keep-containers"]]) {
    const said = await refusal(environment, [...run, ...flags]);
    assertStringIncludes(said, `Cannot use ${flags.join(" ")}: "bubblewrap" has no such thing\n`);
  }
});

Deno.test("an unknown field is a warning with the field that was meant", async () => {
  await using environment = await testEnvironment(GOOD);
  const args = inline({ turn_limt: 3, transcript_file: "t.json" });
  const { code, stderr } = await karotte(args, { cwd: environment.path });
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /warning: .*"turn_limt".*"turn_limit"/);
});

Deno.test("a config with BOM and CRLF is read", async () => {
  await using environment = await testEnvironment(GOOD);
  await environment.write(
    "/config.json",
    '\ufeff{\r\n"run_id": "r1",\r\n"task_id": "probe",\r\n"model": "m",\r\n"use_fake_model": true\r\n}\r\n',
  );
  const { code, stderr } = await karotte(["run", "-c", "config.json"], { cwd: environment.path });
  assertEquals(code, 0, stderr);
});

Deno.test("code of an environment that is only listed can do nothing", async () => {
  await using environment = await testEnvironment({
    ...GOOD,
    "tasks/hostile.ts": `
      const attempts = {
        write: () => Deno.writeTextFileSync("/tmp/karotte-hostile", "x"),
        run: () => new Deno.Command("true").outputSync(),
        env: () => Deno.env.get("HOME"),
        net: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
        ffi: () => Deno.dlopen("libc.so.6", {}).close(),
        sys: () => Deno.hostname(),
      };
      for (const [name, attempt] of Object.entries(attempts)) {
        let worked = false;
        try { attempt(); worked = true; } catch { /* as it should be */ }
        if (worked) throw new Error("it could " + name);
      }
      console.log('{"tasks":[{"id":"forged"}]}');`,
  });
  const { code, stdout, stderr } = await karotte(["tasks", "list"], { cwd: environment.path });
  assertEquals([code, stdout], [0, 'Tasks:\n  "probe"\n'], stderr);
});
