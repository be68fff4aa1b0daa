import { assert, assertEquals, assertStringIncludes } from "@std/assert";
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
    "id_rsa": SECRET,
    "config.json": JSON.stringify({ auth: SECRET }),
    "module.js": `export default ${JSON.stringify(SECRET)};`,
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
    assertStringIncludes(said, "open: [] tried: 3");
    assert(!said.includes(KEY) && !said.includes(SECRET), said);
    assertEquals(here.counts.connections, 0);
    const left = [...Deno.readDirSync(here.targets.folder)].map(({ name }) => name).sort();
    assertEquals(left, ["config.json", "id_rsa", "module.js"]);
  });
}
