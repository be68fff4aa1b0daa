import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { dockerWithImage, engines } from "./fake_engines.ts";
import { karotte } from "./karotte.ts";

function environmentWith(entryPoints = "") {
  return testEnvironment({
    "/plugin.ts": `
      import { definePlugin } from "@karotte/cli/sdk";
      export default definePlugin({ name: "acme", entryPoints: { ${entryPoints} } });`,
    "/Containerfile": "FROM debian:12\n",
    "fake_model.ts": bashScript(),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
  });
}

const RUN = ["run", "--task", "probe", "--fake-model", "--run-id", "r1", "--with", "./plugin.ts"];
const run = (cwd: string, env: Record<string, string> = {}) => karotte(RUN, { cwd, env });
const toldIn = (stderr: string) => /^limits: .*$/m.exec(stderr)?.[0] ?? stderr;

Deno.test("limits: CHALK_SANDBOX_MEMORY_BYTES counts where KAROTTE's is unset", async () => {
  await using environment = await environmentWith();
  const three = { CHALK_SANDBOX_MEMORY_BYTES: String(3 * 1024 ** 3) };
  const chalk = await run(environment.path, three);
  assertEquals(chalk.code, 0, chalk.stderr);
  const told = toldIn(chalk.stderr);
  assertStringIncludes(told, "sandbox memory 3 GiB, by CHALK_SANDBOX_MEMORY_BYTES");
  const both = { ...three, KAROTTE_SANDBOX_MEMORY_BYTES: String(2 * 1024 ** 3) };
  const karottes = toldIn((await run(environment.path, both)).stderr);
  assertStringIncludes(karottes, "sandbox memory 2 GiB, by KAROTTE_SANDBOX_MEMORY_BYTES");
});

Deno.test("limits: 1 GiB or less in a variable, or no number, is refused", async () => {
  await using environment = await environmentWith();
  for (const value of [String(1024 ** 3), "1000", "-5", "2GiB", "3e9"]) {
    const said = await run(environment.path, { KAROTTE_SANDBOX_MEMORY_BYTES: value });
    assertEquals([said.code, said.stdout], [2, ""], said.stderr);
    assertStringIncludes(said.stderr, `KAROTTE_SANDBOX_MEMORY_BYTES=${value}: expected more than`);
    assertEquals(await readEvents(environment.path), []);
  }
});

Deno.test("limits: what bubblewrap does not keep of the plugin's is told in one line", async () => {
  await using environment = await environmentWith(`
    "karotte.default_hardware": { acme: "small" },
    "karotte.hardware_limits": {
      acme: () => ({ memory_bytes: 2 * 1024 ** 3, cpus: 1.5, disk_bytes: 10 * 1024 ** 3 }),
    },`);
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 0, stderr);
  const told = toldIn(stderr);
  assertStringIncludes(told, 'hardware "small"; sandbox memory 2 GiB, by plugin entry "acme"');
  assertStringIncludes(told, "processors 1.5 (not kept by bubblewrap)");
  assertStringIncludes(told, "disk 10 GiB (not kept by bubblewrap)");
});

Deno.test("limits: without plugin and variable the memory is that of the daemon's machine", async () => {
  await using environment = await environmentWith();
  const docker = { ServerVersion: "27.0.1", OSType: "linux", Architecture: "x86_64", NCPU: 2 };
  const memoryGiven = async (info: object) => {
    const { dir, options } = await engines({
      docker: dockerWithImage({
        ...{ calls: `${environment.path}/calls`, info },
        endpoint: "tcp://192.0.2.1:2375",
      }),
    });
    await using _ = dir;
    await Deno.writeTextFile(`${environment.path}/calls`, "");
    const args = [...RUN, "--dev", "--runtime", "docker"];
    const { stderr } = await karotte(args, { cwd: environment.path, env: options.env });
    const calls = await Deno.readTextFile(`${environment.path}/calls`);
    const started = /^run .*$/m.exec(calls)?.[0];
    assert(started !== undefined, stderr + calls);
    return { memory: /--memory (\d+)/.exec(started)?.[1], told: toldIn(stderr) };
  };
  const large = await memoryGiven({ ...docker, MemTotal: 512 * 1024 ** 3 });
  assertEquals(large.memory, String(511 * 1024 ** 3));
  assertMatch(large.told, /sandbox memory 511 GiB, by docker's machine/);
  const silent = await memoryGiven(docker);
  assertEquals(silent.memory, undefined);
  assertMatch(silent.told, /sandbox memory not limited: docker does not say/);
});

Deno.test("limits: the student's memory, the sandbox's less 1 GiB, is told and recorded", async () => {
  await using environment = await environmentWith(`
    "karotte.default_hardware": { acme: "small" },
    "karotte.hardware_limits": { acme: () => ({ memory_bytes: 1.5 * 1024 ** 3 }) },`);
  const limits = (events: readonly TranscriptEvent[]) =>
    events.flatMap((event) => event.type === "student_limits" ? [event.metadata] : []);
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 0, stderr);
  const told = "limits of the student: memory 512 MiB of the sandbox's 1.5 GiB (plugin)";
  assertStringIncludes(stderr, told);
  assertEquals(limits(await readEvents(environment.path)), [{
    sandbox_memory_bytes: 1.5 * 1024 ** 3,
    sandbox_memory_source: "plugin",
    student_memory_bytes: 512 * 1024 ** 2,
    contracts: { memory: "not_supported" },
  }]);
  await using bare = await environmentWith();
  const without = await run(bare.path);
  assertEquals(without.code, 0, without.stderr);
  const [machine] = limits(await readEvents(bare.path));
  assertEquals(machine?.sandbox_memory_source, "machine");
  assert(
    machine !== undefined &&
      machine.sandbox_memory_bytes <= Deno.systemMemoryInfo().total - 1024 ** 3,
  );
});
