import { assertEquals, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import { NO_PLUGIN_FLAGS } from "../../src/plugins/plugin_flags.ts";
import { NO_APPROVALS, openRegistry } from "../../src/plugins/open_registry.ts";
import { containerRunArgs } from "../../src/entry_points/container_run_args.ts";
import { bashResults, bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { karotte, ROOT } from "./karotte.ts";

const plugin = (path: string) => ["--with", `${ROOT}plugins/${path}`];

/** A judge that reports a variable, the turn limit and what hardware the task names. */
const LOOK = {
  before: `class Look extends Judge {
    override evaluate(_transcript, { config }) {
      const seen = Deno.env.get("ACME_TOKEN") === "tok-12345678" ? "yes" : "no";
      return scoring(0.5, { seen, turns: String(config.turn_limit) });
    }
  }`,
};

const environmentWith = (fields = "") =>
  testEnvironment({
    "fake_model.ts": bashScript("env"),
    "tasks/probe.ts": probeTask("new Look()", { ...LOOK, fields }),
  });

const run = (cwd: string, ...args: string[]) =>
  karotte(["run", "--task", "probe", "--fake-model", "--run-id", "r1", ...args], { cwd });

Deno.test("secrets.ts keeps a token from the student, bounds runs and refuses written keys", async () => {
  await using environment = await environmentWith();
  const cwd = environment.path;
  const args = [...plugin("secrets.ts"), "--env", "ACME_TOKEN=tok-12345678"];
  const { code, stdout, stderr } = await run(cwd, ...args);
  assertEquals(code, 0, stderr);
  const events = await readEvents(cwd);
  const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(scores.map(({ metadata }) => metadata), [{ seen: "yes", turns: "100" }]);
  assertEquals(bashResults(events).length, 1);
  const recorded = stdout + stderr + JSON.stringify(events);
  assertEquals([recorded.includes("tok-12345678"), recorded.includes("ACME_TOKEN")], [
    false,
    false,
  ]);
  const refused = await run(cwd, ...args, "--model-api-key", "sk-written-down");
  assertEquals([refused.code, refused.stdout], [4, ""]);
  assertStringIncludes(refused.stderr, "write $NAME of a variable instead");
});

Deno.test("gpu.ts limits what asks for nothing, and its GPU is not for bubblewrap", async () => {
  await using small = await environmentWith();
  const { code, stderr } = await run(small.path, ...plugin("gpu.ts"));
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, 'hardware "small"; sandbox memory 2 GiB, by plugin entry "gpu"');
  assertEquals(stderr.includes("warning"), false, stderr);
  await using gpu = await environmentWith('requiredHardware: "gpu",');
  const refused = await run(gpu.path, ...plugin("gpu.ts"));
  assertEquals([refused.code, refused.stdout], [3, ""]);
  assertStringIncludes(refused.stderr, 'hardware "gpu" is passed through');
});

Deno.test("gpu.ts gives --gpus all to tasks that need it, under docker only", async () => {
  await using dir = await tempDir();
  const registry = await openRegistry({
    directory: dir.path,
    flags: { ...NO_PLUGIN_FLAGS, with: [`${ROOT}plugins/gpu.ts`], strict: true },
    approvals: NO_APPROVALS,
    cacheDirectory: `${dir.path}/cache`,
    variable: () => undefined,
    warn: (text) => {
      throw new Error(text);
    },
  });
  const hooks = await registry.get(containerRunArgs);
  const task = (required_hardware: string | null) => ({
    id: "probe",
    tools: [],
    required_hardware,
    data_mounts: [],
    submission_paths: [],
    scoring_time_limit_seconds: 600,
  });
  const given = async (hardware: string | null, runtime: string) =>
    (await hooks.argumentsFor(task(hardware), runtime)).flatMap(({ args }) => args);
  assertEquals(await given("gpu", "docker"), ["--gpus", "all"]);
  for (const runtime of ["podman", "docker:gvisor", "nerdctl", "bubblewrap"]) {
    assertEquals(await given("gpu", runtime), [], runtime);
  }
  for (const hardware of ["small", null]) assertEquals(await given(hardware, "docker"), []);
});

Deno.test("cli_tool lists what runs scored, and what it can't read", async () => {
  await using environment = await environmentWith();
  const cwd = environment.path;
  const scores = (...args: string[]) =>
    karotte([...plugin("cli_tool/mod.ts"), "scores", ...args], { cwd });
  assertEquals(await scores(), { code: 0, stdout: "", stderr: "" });
  assertEquals((await run(cwd)).code, 0);
  assertEquals(await scores(), { code: 0, stdout: "r1  probe  0.5, mean 0.5\n", stderr: "" });
  const json = JSON.parse((await scores("--json")).stdout);
  assertEquals(json, [{ run_id: "r1", task_id: "probe", scores: [0.5], mean: 0.5 }]);
  await environment.write("/out/broken.json", "{");
  const broken = await scores();
  assertEquals([broken.code, broken.stdout], [1, "r1  probe  0.5, mean 0.5\n"]);
  assertStringIncludes(broken.stderr, 'out/broken.json": SyntaxError');
  const wrong = await scores("--help");
  assertEquals([wrong.code, wrong.stderr], [2, "usage: karotte scores [--json]\n"]);
  const help = await karotte([...plugin("cli_tool/mod.ts"), "help", "scores"], { cwd });
  assertStringIncludes(help.stdout, "karotte scores --help");
});
