import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { codeBlocks, writeFiles } from "../docs/markdown_blocks.ts";
import { lastReference } from "../../src/host/image/repository.ts";
import { bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { dockerWithImage, engines, saying } from "./fake_engines.ts";
import { karotte, ROOT } from "./karotte.ts";

const TELLS = `"karotte.container_run_args": {
  tells: (task, runtime) => {
    console.error("hook sees " + task.required_hardware + " on " + runtime);
    return [];
  },
},`;
const GPU_WITH_DEVICES = `
  "karotte.hardware_limits": { gpu: (name) => name === "gpu" ? { passthrough: true } : null },
  ${TELLS}`;
const DOCKER = { ServerVersion: "27.0.1", OSType: "linux", Architecture: "x86_64", NCPU: 2 };

/** An environment with a plugin beside it, which `--with ./plugin.ts` loads. */
function environmentWith(entryPoints: string, fields = "") {
  return testEnvironment({
    "/plugin.ts": `
      import { definePlugin } from "@karotte/cli/sdk";
      export default definePlugin({ name: "acme", entryPoints: { ${entryPoints} } });`,
    "/Containerfile": "FROM debian:12\n",
    "fake_model.ts": bashScript(),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()", { fields }),
  });
}

const RUN = ["run", "--task", "probe", "--fake-model", "--run-id", "r1", "--with", "./plugin.ts"];
const run = (cwd: string, env: Record<string, string> = {}, ...args: string[]) =>
  karotte([...RUN, ...args], { cwd, env });

Deno.test("hardware: the default is what hooks see and what tasks list shows", async () => {
  await using environment = await environmentWith(`
    "karotte.default_hardware": { acme: "gpu" },
    "karotte.hardware_limits": { acme: () => ({}) },
    ${TELLS}`);
  const cwd = environment.path;
  const { code, stderr } = await run(cwd);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, "hook sees gpu on bubblewrap\n");
  const listed = await karotte(["tasks", "list", "--json", "--with", "./plugin.ts"], { cwd });
  assertEquals(JSON.parse(listed.stdout)[0].required_hardware, "gpu");
  const without = await karotte(["tasks", "list", "--json"], { cwd });
  assertEquals(JSON.parse(without.stdout)[0].required_hardware, null);
});

Deno.test("hardware: what a task itself names is not replaced by the default", async () => {
  await using environment = await environmentWith(
    `"karotte.default_hardware": { acme: "gpu" }, ${TELLS}`,
    'requiredHardware: "small",',
  );
  const { stderr } = await run(environment.path);
  assertStringIncludes(stderr, "hook sees small on bubblewrap\n");
});

Deno.test("hardware: the GPU plugin of the docs gives its arguments to all tasks", async () => {
  await using environment = await environmentWith("");
  const cwd = environment.path;
  const blocks = (await codeBlocks(`${ROOT}docs/hardware.md`))
    .filter(({ file }) => file === "gpu_for_all.ts");
  assertEquals(blocks.length, 1);
  await writeFiles(blocks, cwd, "ts");
  const { dir, options } = await engines({
    docker: dockerWithImage({
      ...{ calls: `${cwd}/calls`, info: DOCKER },
      endpoint: "unix:///var/run/docker.sock",
    }),
  });
  await using _ = dir;
  const env = { ...options.env, KAROTTE_RUNTIME: "" };
  const said = await run(cwd, env, "--dev", "--with", "./gpu_for_all.ts");
  const calls = await Deno.readTextFile(`${cwd}/calls`);
  assertStringIncludes(calls, lastReference(cwd));
  assertMatch(calls, /^run .* --gpus all sha256:a+$/m, said.stderr + calls);
  assertMatch(calls, /^run .*--memory 34359738368 .*--cpus 2 /m);
});

Deno.test("hardware: a task that reads the config is described with that of the run", async () => {
  await using environment = await environmentWith(TELLS);
  const cwd = environment.path;
  await environment.write(
    "tasks/probe.ts",
    `import { AlwaysPassJudge, Step, Task } from "@karotte/cli/sdk";
    class Only extends Step {
      instructions = "Go.";
      judge = new AlwaysPassJudge();
    }
    export class Probe extends Task {
      static readonly id = "probe";
      systemPrompt = null;
      steps = [new Only(this.config)];
      tools = ["bash"];
      get requiredHardware() {
        console.error("described");
        const { extra_config, model, run_id, model_api_key, ...rest } = this.config;
        if (extra_config?.large) return rest.turn_limit + " " + model + " " + run_id + model_api_key;
        return structuredClone(this.config).model;
      }
    }`,
  );
  const config = (large: boolean, changes = {}) =>
    JSON.stringify({
      ...{ run_id: "r1", task_id: "probe", model: "a/b", turn_limit: 7, use_fake_model: true },
      ...{ extra_config: { large }, model_api_key: "sk-secret-0123456789", ...changes },
    });
  const seen = async (text: string) => {
    const said = await karotte(["run", "-c", text, "--with", "./plugin.ts"], { cwd });
    assertEquals(said.code, 0, said.stderr);
    return /^hook sees (.*) on/m.exec(said.stderr)?.[1];
  };
  assertEquals(await seen(config(true)), "7 a/b describenull");
  assertEquals(await seen(config(false)), "a/b");
  assertEquals(await seen(config(true, { turn_limit: 8 })), "8 a/b describenull");
  assertEquals(await seen(config(true)), "7 a/b describenull");
  const listed = await karotte(["tasks", "list", "--json"], { cwd });
  assertEquals(JSON.parse(listed.stdout)[0].required_hardware, "none");
});

Deno.test("hardware: a task that reads no config is not described again", async () => {
  await using environment = await environmentWith(TELLS);
  await environment.write(
    "tasks/probe.ts",
    probeTask("new AlwaysPassJudge()", { before: "const made = Math.random();" })
      .replace("createTask({", "createTask({ requiredHardware: String(made),"),
  );
  const listed = await karotte(["tasks", "list", "--json"], { cwd: environment.path });
  const { required_hardware } = JSON.parse(listed.stdout)[0];
  const { stderr } = await run(environment.path);
  assertStringIncludes(stderr, `hook sees ${required_hardware} on`);
});

Deno.test("hardware: an error of a task with the run's own config refuses the run", async () => {
  await using environment = await environmentWith("");
  await environment.write(
    "tasks/probe.ts",
    probeTask(`(config) => {
      if (config.model !== "none") throw new Error("no such model here: " + config.model);
      return new AlwaysPassJudge();
    }`).replace(
      "systemPrompt: null",
      `systemPrompt: null,
      get requiredHardware() { return null; }`,
    )
      .replace(
        `steps: [{`,
        `steps: (config) => [{
        submissionPaths: config.use_hints && config.model === "none" ? [] : ["not absolute"],`,
      ),
  );
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 2, stderr);
  assertStringIncludes(stderr, "Cannot load the environment: ");
  assertStringIncludes(stderr, "not absolute");
});

Deno.test("hardware: what no plugin knows is no error, and is warned of", async () => {
  await using none = await environmentWith("", 'requiredHardware: "tpu",');
  const alone = await run(none.path);
  assertEquals(alone.code, 0, alone.stderr);
  const first = 'hardware "tpu" sets no limits: there is no plugin with hardware_limits';
  assertStringIncludes(alone.stderr, `warning: ${first}\n`);
  assertStringIncludes(JSON.stringify(await readEvents(none.path)), JSON.stringify(first));

  await using unknown = await environmentWith(
    `"karotte.hardware_limits": { acme: () => null },`,
    'requiredHardware: "tpu",',
  );
  const said = await run(unknown.path);
  assertEquals(said.code, 0, said.stderr);
  const second = 'warning: hardware "tpu" sets no limits: hardware_limits of "acme" does not';
  assertStringIncludes(said.stderr, second);
});

Deno.test("hardware: undefined from hardware_limits is null", async () => {
  await using environment = await environmentWith(
    `"karotte.hardware_limits": { acme: () => {} },`,
    'requiredHardware: "tpu",',
  );
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, 'hardware_limits of "acme" does not know it');
});

Deno.test("hardware: a warning names the hardware_limits that are not asked", async () => {
  await using environment = await environmentWith(
    `"karotte.hardware_limits": {
      c: () => { throw new Error("asked"); },
      a: () => ({ memory_bytes: 3 * 1024 ** 3 }),
      b: () => { throw new Error("asked"); },
    },`,
    'requiredHardware: "tpu",',
  );
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 0, stderr);
  const warning =
    'warning: hardware_limits of "b", "c" not asked: only the first by name is, "a"\n';
  assertStringIncludes(stderr, warning);
});

Deno.test("hardware: passthrough takes docker and falls back to nothing", async () => {
  await using environment = await environmentWith(GPU_WITH_DEVICES, 'requiredHardware: "gpu",');
  const podman = {
    host: { os: "linux", arch: "amd64", cgroupVersion: "v2", security: { rootless: true } },
    version: { Version: "5.0.0" },
  };
  const { dir, options } = await engines({
    podman: saying({ info: `echo '${JSON.stringify(podman)}'` }),
  });
  await using _ = dir;
  const env = { ...options.env, KAROTTE_RUNTIME: "" };
  const refused = await run(environment.path, env);
  assertEquals([refused.code, refused.stdout], [3, ""]);
  const why = 'hardware "gpu" is passed through, and docker does not work here';
  assertStringIncludes(refused.stderr, `Cannot choose a runtime: ${why}`);
  assertMatch(refused.stderr, /hint: docker: .*--runtime docker, podman/);
  assert(!refused.stderr.includes("hook sees"), refused.stderr);
  // Named, podman is taken; this one has nothing but its name.
  const named = await run(environment.path, env, "--runtime", "podman");
  assertStringIncludes(named.stderr, "hook sees gpu on podman\n");
});
