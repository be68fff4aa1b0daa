import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { wireServer } from "../models/wire/server.ts";
import { testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

const PARTS = ["sk-test", "0123456789abcdef"];
const KEY = PARTS.join("-");

/** Looks for the key as root of the sandbox: what every process was given, and every file. */
const SEARCH = `
  const key = ${JSON.stringify(PARTS)}.join("-");
  const found: string[] = [];
  const look = (path: string) => {
    try {
      if (new TextDecoder().decode(Deno.readFileSync(path)).includes(key)) found.push(path);
    } catch { /* gone, or nothing that can be read */ }
  };
  const walk = (folder: string) => {
    try {
      for (const { name, isFile, isDirectory } of Deno.readDirSync(folder)) {
        if (isFile) look(folder + "/" + name);
        if (isDirectory) walk(folder + "/" + name);
      }
    } catch { /* gone */ }
  };
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\\d+$/.test(name)) continue;
    look("/proc/" + name + "/environ");
    look("/proc/" + name + "/cmdline");
  }
  ["/opt/karotte/private", "/workdir", "/root_data", "/etc", "/tmp", "/run"].forEach(walk);
  const score = found.length === 0 ? 1 : 0;
  Deno.writeTextFileSync(Deno.args[0]!, JSON.stringify({ score, metadata: { found: found.join() } }));`;

const FILES = {
  "tasks/probe.ts": `
    import { createTask, ExecutableJudge } from "@karotte/cli/sdk";
    export default createTask({
      id: "probe",
      tools: ["bash"],
      systemPrompt: null,
      steps: [{
        instructions: "Go.",
        judge: new ExecutableJudge({ script: "scoring/search.ts" }),
      }],
    });`,
  "scoring/search.ts": SEARCH,
};

/** Every process of this machine that was given the key in its environment or arguments. */
function holders(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) =>
    Number.isInteger(pid) && ["environ", "cmdline"].some((file) => {
      try {
        return Deno.readTextFileSync(`/proc/${pid}/${file}`).includes(KEY);
      } catch {
        return false; // it ended meanwhile
      }
    })
  );
}

Deno.test("the key stays with the command: no process, file or record of the run has it", async () => {
  await using environment = await testEnvironment(FILES);
  const seen = new Set<number>();
  await using server = wireServer((request, index) => {
    assertEquals(request.headers.get("x-api-key"), KEY);
    for (const pid of holders()) seen.add(pid);
    if (index === 0) {
      const command = "env; cat /proc/*/environ /proc/*/cmdline | tr '\\\\0' '\\\\n'";
      return { toolCalls: [{ name: "bash", arguments: JSON.stringify({ command }) }] };
    }
    return { text: `Your key is ${KEY}.` };
  });
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
  await using environment = await testEnvironment(FILES);
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
