import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { wireServer } from "../models/wire/server.ts";
import { testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";
import { KEY, keyHolders, SEARCHING, searchingModel } from "./key_search.ts";

Deno.test("the key stays with the command: no process, file or record of the run has it", async () => {
  await using environment = await testEnvironment(SEARCHING);
  const seen = new Set<number>();
  await using server = searchingModel(() => keyHolders().forEach((pid) => seen.add(pid)));
  const args = ["run", "--task", "probe", "--run-id", "r1", "--proxy", server.url];
  let command = 0;
  const { code, stdout, stderr } = await karotte([...args, "--model", "anthropic/claude-opus-5"], {
    cwd: environment.path,
    env: { ANTHROPIC_API_KEY: KEY },
    onStart: (pid) => command = pid,
  });
  const said = stdout + stderr;
  assertEquals(code, 0, said);
  assertStringIncludes(said, "score 1");
  assertEquals([...seen], [command]);
  assertStringIncludes(said, "Your key is [redacted].");
  assert(!said.includes(KEY));
  for (const file of ["r1.json", "r1.events.ndjson"]) {
    const recorded = await Deno.readTextFile(`${environment.path}/out/${file}`);
    assert(recorded.includes("Your key is [redacted]."));
    assert(!recorded.includes(KEY), file);
  }
});

Deno.test("a provider that says the key in its error does not get it into the record", async () => {
  await using environment = await testEnvironment(SEARCHING);
  const body = JSON.stringify({ error: { type: "e", message: `bad key: ${KEY}` } });
  await using server = wireServer(() => ({ fault: { kind: "status", status: 400, body } }));
  const args = ["run", "--task", "probe", "--run-id", "r1", "--proxy", server.url];
  const options = { cwd: environment.path, env: { MY_KEY: KEY } };
  const flags = ["--model", "openai/gpt-5", "--model-api-key", "$MY_KEY"];
  const { code, stdout, stderr } = await karotte([...args, ...flags], options);
  const said = stdout + stderr;
  assertEquals(code, 1, said);
  assertStringIncludes(said, "bad key: [redacted]");
  assert(!said.includes(KEY));
  assert(!(await Deno.readTextFile(`${environment.path}/out/r1.json`)).includes(KEY));
});
