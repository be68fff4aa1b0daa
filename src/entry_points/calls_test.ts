/** What becomes of what plugins' functions return and throw when they are called. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { runConfigSchema } from "../schemas/run_config.ts";
import type { TaskDescription } from "../schemas/task_description.ts";
import type { Entry, Origin } from "./entry.ts";
import type { EntryPoint } from "./entry_point.ts";
import * as points from "./mod.ts";

/** The merged value of entries that are checked like those of plugins. */
async function merged<Value, Merged>(
  token: EntryPoint<Value, Merged>,
  values: Readonly<Record<string, unknown>>,
): Promise<Merged> {
  const entries = Object.entries(values).toSorted().map(([name, value]): Entry<Value> => {
    const origin: Origin = {
      group: token.group,
      name,
      plugin: "acme",
      module: "./acme.ts",
      manifest: "/karotte.plugins.json",
      directory: "/",
    };
    return { origin, load: () => Promise.resolve({ origin, value: token.check.parse(value) }) };
  });
  const ignore = () => undefined;
  return await token.merge(entries, { builtins: [], ignore, skip: ignore });
}

/** The message of the plugin error, without the plugin's name, which must be there. */
async function refusal(call: () => Promise<unknown>): Promise<string> {
  const error = await assertRejects(call, KarotteError);
  assertEquals(error.code, "plugin");
  const name =
    /^Cannot use entry "a" of karotte\.\w+ from plugin "acme" \("\.\/acme\.ts"\) \(.*?\): /;
  assertEquals(name.test(error.message), true, error.message);
  return error.message.replace(name, "");
}

const config = runConfigSchema.parse({ run_id: "r", task_id: "t", model: "fake/x" });
const task: TaskDescription = {
  id: "t",
  tools: [],
  required_hardware: null,
  data_mounts: [],
  submission_paths: [],
  scoring_time_limit_seconds: 600,
};

Deno.test("preprocessors are chained, and each must return a run config", async () => {
  const { preprocess } = await merged(points.runConfigPreprocessors, {
    a: (given: typeof config) => ({ ...given, run_id: `${given.run_id}a` }),
    b: (given: typeof config) => Promise.resolve({ ...given, run_id: `${given.run_id}b` }),
  });
  assertEquals((await preprocess(config)).run_id, "rab");
  const one = async (a: unknown) =>
    await refusal(async () =>
      (await merged(points.runConfigPreprocessors, { a })).preprocess(config)
    );
  assertStringIncludes(await one(() => undefined), "it returned no run config: expected an object");
  assertStringIncludes(
    await one((given: typeof config) => ({ ...given, turn_limit: "ten" })),
    'turn_limit: expected an integer, found "ten"',
  );
  for (const thrown of [new Error("no"), "no", { toString: () => "no" }]) {
    const said = await one(() => {
      throw thrown;
    });
    assertEquals(said, "no");
  }
});

Deno.test("hardware limits are completed, and wrong ones are an error", async () => {
  const limitsOf = async (answer: unknown) =>
    await (await merged(points.hardwareLimits, { a: () => answer }))?.limitsOf("gpu");
  const nothing = { memory_bytes: null, disk_bytes: null, cpus: null, passthrough: false };
  for (const none of [null, undefined]) assertEquals(await limitsOf(none), null);
  assertEquals(await limitsOf({}), nothing);
  assertEquals(await limitsOf(Promise.resolve({ cpus: 1.5 })), { ...nothing, cpus: 1.5 });
  const gib = 1024 ** 3;
  assertEquals((await limitsOf({ memory_bytes: gib + 1 }))?.memory_bytes, gib + 1);
  const cases: [unknown, string][] = [
    [{ memory_bytes: gib }, "memory_bytes: expected more than 1 GiB"],
    [{ memory_bytes: "8g" }, "memory_bytes: expected a number"],
    [{ memoryBytes: gib * 2 }, "memoryBytes"],
    [{ cpus: 0 }, "cpus: expected a positive number"],
    ["8g", 'expected an object, found "8g"'],
    [[], "expected an object, found a list"],
  ];
  for (const [answer, found] of cases) {
    assertStringIncludes(await refusal(() => limitsOf(answer)), found);
  }
});

Deno.test("container arguments are concatenated; a throw refuses the launch", async () => {
  const hooks = await merged(points.containerRunArgs, {
    a: (task: TaskDescription, runtime: string) => {
      task.tools.push("changed");
      return [runtime, task.id];
    },
    b: () => Promise.resolve(["--b"]),
  });
  assertEquals(
    (await hooks.argumentsFor(task, "docker")).flatMap(({ args }) => args),
    ["docker", "t", "--b"],
  );
  assertEquals(task.tools, []);
  const one = async (a: unknown) =>
    await refusal(async () =>
      await (await merged(points.containerRunArgs, { a })).argumentsFor(task, "podman")
    );
  assertEquals(await one(() => "--gpus all"), "it returned no list of texts");
  assertEquals(await one(() => ["a\0b"]), "it returned no list of texts");
  assertEquals(await one(() => Promise.reject(new Error("not on this host"))), "not on this host");
});

Deno.test("migrations run in order with their own this; the first tool that is not null counts", async () => {
  const done: string[] = [];
  class Migration {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    prepare(project: string) {
      done.push(`${this.name} ${project}`);
    }
    tool(version: string) {
      return this.name === "b" ? ["run", version] : null;
    }
  }
  const all = {
    a: new Migration("a"),
    b: new Migration("b"),
    c: { migrate: () => done.push("c") },
  };
  const migrations = await merged(points.updateMigrations, all);
  await migrations.prepare("/p");
  await migrations.migrate("/b", "/p", "1");
  assertEquals(done, ["a /p", "b /p", "c"]);
  assertEquals(await migrations.tool("2"), ["run", "2"]);
  const wrong = await merged(points.updateMigrations, { a: { tool: () => "run" } });
  assertStringIncludes(await refusal(() => wrong.tool("2")), "neither null nor a list of texts");
});

Deno.test("folders of templates and of tools are not looked for where they are merged", async () => {
  const gone = { b: "/no/such/folder", a: "./relative" };
  const roots = await merged(points.templates, gone);
  assertEquals(roots.map(({ directory }) => directory), ["/relative", "/no/such/folder"]);
  const tools = { a: ["/no/such/folder", "/usr"], b: ["/usr"] };
  assertEquals(await merged(points.platformToolingDirs, tools), ["/no/such/folder", "/usr"]);
});
