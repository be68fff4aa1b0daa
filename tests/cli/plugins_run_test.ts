import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import { bashResults, bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { karotte, startKarotte, textOf } from "./karotte.ts";

/** An environment whose judge reports the variables that root sees. */
function environmentWith(entryPoints: string, manifest = `{ "plugins": ["./plugin.ts"] }`) {
  return testEnvironment({
    "/karotte.plugins.json": manifest,
    "/plugin.ts": `
      import { definePlugin } from "@karotte/cli/sdk";
      export default definePlugin({ name: "acme", entryPoints: { ${entryPoints} } });`,
    "fake_model.ts": bashScript("echo student sees $ACME_TOKEN $PLAIN; env", "true"),
    "tasks/probe.ts": probeTask("new Look()", {
      before: `class Look extends Judge {
        override evaluate(_t, { config }) {
          return scoring(1, {
            token: Deno.env.get("ACME_TOKEN") ?? "none",
            length: String((Deno.env.get("ACME_TOKEN") ?? "").length),
            turns: String(config.turn_limit),
          });
        }
      }`,
    }),
  });
}

const run = (cwd: string, ...args: string[]) =>
  karotte(["run", "--task", "probe", "--fake-model", "--run-id", "r1", ...args], { cwd });

Deno.test("a secret variable reaches judges, no process of the student, and no transcript", async () => {
  await using environment = await environmentWith(
    `"karotte.harness_secret_env": { acme: ["ACME_TOKEN"] }`,
  );
  const args = ["--env", "ACME_TOKEN=tok-12345678", "--env", "PLAIN=plain"];
  const { code, stdout, stderr } = await run(environment.path, ...args);
  assertEquals(code, 0, stderr);
  const events = await readEvents(environment.path);
  const [first] = bashResults(events);
  assertStringIncludes(String(first?.stdout), "student sees plain\n");
  assertEquals(String(first?.stdout).includes("ACME_TOKEN"), false);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals([verdict?.metadata.token, verdict?.metadata.length], ["[redacted]", "12"]);
  const events_ = await Deno.readTextFile(`${environment.path}/out/r1.events.ndjson`);
  assertEquals((stdout + stderr + events_).includes("tok-12345678"), false);
});

Deno.test("preprocessors change the config in the order of their names", async () => {
  await using environment = await environmentWith(`"run_config_preprocessors": {
    b: (config) => ({ ...config, turn_limit: config.turn_limit * 10 }),
    a: (config) => ({ ...config, turn_limit: 3 }),
  }`);
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 0, stderr);
  const events = await readEvents(environment.path);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(verdict?.metadata.turns, "30");
});

Deno.test("a preprocessor that throws or does not load fails the run with exit 4", async () => {
  await using throwing = await environmentWith(`"karotte.run_config_preprocessors": {
    acme: () => { throw new Error("no quota left"); },
  }`);
  const thrown = await run(throwing.path);
  assertEquals([thrown.code, thrown.stdout], [4, ""]);
  assertStringIncludes(thrown.stderr, "no quota left");
  await using missing = await environmentWith(
    "",
    `{ "entryPoints": { "karotte.run_config_preprocessors": { "acme": "./gone.ts#x" } } }`,
  );
  assertEquals((await run(missing.path)).code, 4);
  assertEquals((await run(missing.path, "--no-plugins")).code, 0);
});

Deno.test("limits of a plugin are the sandbox's, and container hooks may refuse the launch", async () => {
  await using environment = await environmentWith(`
    "karotte.default_hardware": { acme: "small" },
    "karotte.hardware_limits": {
      acme: (hardware) => hardware === "small" ? { memory_bytes: 2 * 1024 ** 3 } : null,
    },
    "karotte.container_run_args": {
      acme: (task, runtime) => {
        if (Deno.env.get("ACME_VETO")) throw new Error("not " + task.id + " on " + runtime);
        return ["--gpus", "all"];
      },
    }`);
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, 'hardware "small"; sandbox memory 2 GiB, by plugin entry');
  assertMatch(stderr, /container_run_args \(acme\) have no effect/);
  const args = ["run", "--task", "probe", "--fake-model"];
  const env = { ACME_VETO: "1" };
  const vetoed = await karotte(args, { cwd: environment.path, env });
  assertEquals([vetoed.code, vetoed.stdout], [4, ""]);
  assertStringIncludes(vetoed.stderr, "not probe on bubblewrap");
});

Deno.test("what a skipped secret plugin means is in the summary and in the transcript", async () => {
  await using environment = await environmentWith(
    `"karotte.harness_secret_env": { acme: "ACME_TOKEN" }`,
  );
  const { code, stderr } = await run(environment.path);
  assertEquals(code, 0, stderr);
  const meaning = "are not withheld from the student";
  assertEquals(stderr.split(meaning).length - 1 >= 2, true, stderr);
  const events = await readEvents(environment.path);
  assertEquals(events.slice(0, 2).map(({ type }) => type), ["task_started", "warning"]);
  assertStringIncludes(JSON.stringify(events[1]), meaning);
});

Deno.test("a plugin that never ends while it is imported still ends by Ctrl-C", async () => {
  await using environment = await environmentWith(
    "",
    `{ "entryPoints": { "karotte.harness_secret_env": { "acme": "./endless.ts#x" } } }`,
  );
  await environment.write("/endless.ts", 'console.error("looping"); for (;;);');
  const child = startKarotte(["run", "--task", "probe", "--fake-model"], {
    cwd: environment.path,
  });
  try {
    const reader = child.stderr.getReader();
    let said = "";
    while (!said.includes("looping")) said += textOf((await reader.read()).value!);
    Deno.kill(child.pid, "SIGINT");
    assertEquals((await child.status).signal, "SIGINT");
    reader.releaseLock();
  } finally {
    child.kill("SIGKILL");
    await Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
  }
});

Deno.test("a plugin with secrets that can't be loaded shows no variable to the student", async () => {
  await using environment = await environmentWith(
    `"karotte.harness_secret_env": { acme: ["ACME_TOKEN"] } } });
    import { gone } from "npm:karotte-there-is-none@1"; ({ gone: { a: {`,
  );
  const refused = await run(environment.path, "--offline", "--env", "ACME_TOKEN=tok-12345678");
  assertEquals([refused.code, refused.stdout], [4, ""]);
  assertStringIncludes(refused.stderr, "a variable of --env may be a secret");
  assertEquals(refused.stderr.includes("tok-12345678"), false);
  assertEquals(await readEvents(environment.path), []);
  const { code, stderr } = await run(environment.path, "--offline");
  assertEquals(code, 0, stderr);
  const meaning = "are not withheld from the student";
  assertEquals(stderr.split(meaning).length - 1 >= 2, true, stderr);
  assertStringIncludes(JSON.stringify((await readEvents(environment.path))[1]), meaning);
});

Deno.test("a committed lock file tells of secrets where the plugin was never loaded", async () => {
  await using environment = await environmentWith(
    `"karotte.harness_secret_env": { acme: ["ACME_TOKEN"] }`,
  );
  const { path } = environment;
  assertEquals((await karotte(["plugins", "check"], { cwd: path })).code, 0);
  await using cache = await tempDir();
  const env = { KAROTTE_CACHE: await Deno.realPath(cache.path) };
  const listed = await karotte(["plugins", "list", "--json"], { cwd: path, env });
  assertStringIncludes(listed.stdout, "karotte.harness_secret_env");
  await Deno.remove(`${path}/plugin.ts`);
  const args = ["run", "--task", "probe", "--fake-model", "--env", "ACME_TOKEN=tok-12345678"];
  const refused = await karotte(args, { cwd: path, env });
  assertEquals([refused.code, refused.stdout], [4, ""]);
  assertStringIncludes(refused.stderr, "no such file; a variable of --env may be a secret");
});
