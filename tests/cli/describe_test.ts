import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";
import { spyTask, type Targets } from "./spy.ts";

const KEY = "sk-ant-this-key-is-the-callers";
const env = { ANTHROPIC_API_KEY: KEY };
const SECRET = "what lies in the user's folder";

const GOOD = {
  "fake_model.ts": bashScript(),
  "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
};

const COMMANDS = [
  ["tasks", "list"],
  ["check"],
  ["run", "--task", "probe", "--fake-model"],
];

/** A folder with secrets, and a server that counts who came. */
async function machine() {
  const folder = await tempDir();
  const files = {
    "module.js": `export default ${JSON.stringify(SECRET)};`,
    "config.json": JSON.stringify({ auth: SECRET }),
    "id_rsa": SECRET,
  };
  for (const [name, content] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder.path, name), content);
  }
  const counts = { connections: 0 };
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepting = (async () => {
    for await (const connection of listener) {
      counts.connections++;
      connection.close();
    }
  })();
  const targets: Targets = {
    files: Object.keys(files).map((name) => join(folder.path, name)),
    port: listener.addr.port,
    folder: folder.path,
  };
  return {
    targets,
    counts,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      await folder[Symbol.asyncDispose]();
    },
  };
}

for (const args of COMMANDS) {
  Deno.test(`${args.join(" ")}: an environment gets at nothing but its own files`, async () => {
    await using here = await machine();
    await using environment = await testEnvironment({
      ...GOOD,
      "tasks/spy.ts": spyTask(here.targets),
    });
    const { code, stdout, stderr } = await karotte(args, { cwd: environment.path, env });
    const said = stdout + stderr;
    assertEquals(code, 2, said);
    assertStringIncludes(said, "open: [] tried: 2");
    assert(!said.includes(KEY) && !said.includes(SECRET), said);
    assertEquals(here.counts.connections, 0);
    const left = [...Deno.readDirSync(here.targets.folder)].map(({ name }) => name).sort();
    assertEquals(left, ["config.json", "id_rsa", "module.js"]);
  });
}

Deno.test("check: code of an environment can't give a Worker more than it has itself", async () => {
  await using here = await machine();
  const [file = ""] = here.targets.files;
  await using environment = await testEnvironment({
    ...GOOD,
    "tasks/spy.ts": `
      const url = "data:text/javascript," +
        encodeURIComponent("postMessage(Deno.readTextFileSync(" + ${JSON.stringify(file)} + "))");
      const worker = new Worker(url, { type: "module", deno: { permissions: { read: true } } } as any);
      throw new Error(await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data)));`,
  });
  const { code, stderr } = await karotte(["check"], { cwd: environment.path, env });
  assertEquals(code, 2, stderr);
  assertMatch(stderr, /Can't escalate parent thread permissions|Unstable API 'Worker/);
});

Deno.test("tasks list: files beside a task and those of a package are read", async () => {
  await using environment = await testEnvironment({
    ...GOOD,
    "tasks/rows.csv": "a,b\n1,2\n",
    "tasks/rows.ts": `
      import { createTask, AlwaysPassJudge } from "@karotte/cli/sdk";
      import { words } from "wordy";
      const rows = Deno.readTextFileSync(new URL("./rows.csv", import.meta.url)).trim().split("\\n");
      export default createTask({
        id: "rows " + rows.length + " " + words,
        tools: [],
        systemPrompt: null,
        steps: [{ instructions: "Go.", judge: new AlwaysPassJudge() }],
      });`,
    "/node_modules/wordy/package.json": '{ "name": "wordy", "type": "module", "main": "main.js" }',
    "/node_modules/wordy/main.js": `
      import { readFileSync } from "node:fs";
      export const words = readFileSync(new URL("./words.txt", import.meta.url), "utf8").trim();`,
    "/node_modules/wordy/words.txt": "a few",
  });
  // Flags of Deno are split at commas, and a link is not the place that it leads to.
  await using folder = await tempDir();
  const place = join(folder.path, "a, b");
  await Deno.mkdir(place);
  await Deno.symlink(place, join(folder.path, "link"));
  const { code, stdout, stderr } = await karotte(["tasks", "list"], {
    cwd: environment.path,
    env: { KAROTTE_CACHE: join(folder.path, "link", "cache") },
  });
  assertEquals([code, stderr], [0, ""]);
  assertEquals(stdout, 'Tasks:\n  "probe"\n  "rows 2 a few"\n');
});

/** Source of a task file, and what `check` says of it; after the first line break: a hint. */
const FAILING = [
  {
    name: "an error",
    source: "\nfunction fail() {\n  throw new TypeError('no rows');\n}\nfail();",
    says:
      /^error: Cannot load the environment: src\/environment\/tasks\/bad.ts:3:9: TypeError: no rows\n$/,
  },
  {
    name: "an error that nobody waits for",
    source:
      "\n\nsetTimeout(() => {\n  throw new Error('too late');\n});\nawait new Promise(() => {});",
    says:
      /^error: Cannot load the environment: src\/environment\/tasks\/bad.ts:4:9: error: Uncaught .*Error: too late\n$/,
  },
  {
    name: "an error after other output",
    source: "console.error('at file:///x.ts:1:1'); console.log('{}'); throw new Error('real');",
    says:
      /^error: Cannot load the environment: src\/environment\/tasks\/bad.ts:1:\d+: Error: real\n$/,
  },
  {
    name: "more memory than there is for it",
    source: "const all = []; for (;;) all.push(new Array(1e6).fill(0).map((_, i) => ({ i })));",
    says: /^error: Cannot load the environment: it takes too much memory\nhint: .* 2 GiB/,
  },
  {
    name: "a thing that is no error",
    source: "throw { toString() { throw 1; } };",
    says: /^error: Cannot load the environment: .+\n$/,
  },
  {
    name: "an end before the end",
    source: "Deno.exit(0);",
    says: /^error: Cannot load the environment: .+\n/,
  },
];

for (const { name, source, says } of FAILING) {
  Deno.test(`check: an environment that loads with ${name} is refused`, async () => {
    await using environment = await testEnvironment({ ...GOOD, "tasks/bad.ts": source });
    const { code, stderr } = await karotte(["check"], { cwd: environment.path, env });
    assertEquals(code, 2, stderr);
    assertMatch(stderr, says);
  });
}
