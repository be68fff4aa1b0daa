import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bashResults, bashScript, readEvents, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

/** The smallest limit that Karotte takes is above 1 GiB. */
const LIMIT = 1025 * 1024 ** 2;
const FILES = {
  // The last message is the second step's.
  "fake_model.ts": bashScript(`bash -c 'x=$(head -c 1200M /dev/zero | tr "\\\\0" x)'; echo $?`)
    .replace("];", ', { content: "done" }];'),
  "tasks/probe.ts": `
    import { AlwaysPassJudge, createTask } from "@karotte/cli/sdk";
    const step = { instructions: "Go.", judge: new AlwaysPassJudge() };
    export default createTask({
      id: "probe",
      tools: ["bash"],
      systemPrompt: null,
      steps: [step, step],
    });`,
};

Deno.test("faults 2.4: the step in which the kernel killed a process for memory says so", async () => {
  await using environment = await testEnvironment(FILES);
  const config = { mcp_server_config: { profile_tool_calls: true } };
  const args = ["--config", JSON.stringify(config)];
  const { code, stderr } = await karotte(
    ["run", "--task", "probe", "--fake-model", "--run-id", "r1", ...args],
    { cwd: environment.path, env: { KAROTTE_SANDBOX_MEMORY_BYTES: String(LIMIT) } },
  );
  assertEquals(code, 0, stderr);
  const events = await readEvents(environment.path);
  const [first, second, ...more] = events.flatMap((event) =>
    event.type === "scoring" ? [event.resource_metrics] : []
  );
  assert(first && second && more.length === 0, JSON.stringify([first, second]));
  assertEquals([first.memory_limit_bytes, second.memory_limit_bytes], [LIMIT, LIMIT]);
  assertEquals([first.memory_limit_kills, second.memory_limit_kills], [1, 0]);
  assert(first.peak_memory_mb > 500, `${first.peak_memory_mb} MB`);
  assert(second.peak_memory_mb < first.peak_memory_mb);
  assert(first.avg_cpu_percent > 0 && first.samples.length > 0);
  const note = `(the memory limit of ${LIMIT} bytes was reached: 1 process(es) killed)`;
  assertStringIncludes(stderr, `score 1 ${note}`);
  const [called] = bashResults(events) as { _karotte_resource_metrics?: typeof first }[];
  assertEquals(called?._karotte_resource_metrics?.memory_limit_kills, 1);
});
