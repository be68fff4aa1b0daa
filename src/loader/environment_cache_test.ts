import { assertEquals, assertNotEquals } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../base/process.ts";
import { type TempEnvironment, tempEnvironment } from "../../tests/support/temp_environment.ts";

const FILES = {
  "deno.json": "{}",
  "src/own.ts": "export const own = 1;",
  "node_modules/dependency/index.js": "export const version = 1;",
  "src/environment/tasks/main.ts":
    "export { own } from '../../own.ts'; export { version } from 'dependency';",
};

/** Bundles in a process of its own and returns the digest and whether the bundler was started. */
async function bundleElsewhere({ directory, cacheDirectory }: TempEnvironment) {
  const module = new URL("./environment_bundle.ts", import.meta.url).href;
  const script = `
    import { bundleEnvironment } from ${JSON.stringify(module)};
    const compile = WebAssembly.compile;
    let started = false;
    WebAssembly.compile = (bytes) => { started = true; return compile(bytes); };
    const { digest } = await bundleEnvironment(${JSON.stringify({ directory, cacheDirectory })});
    console.log(JSON.stringify({ digest, started }));`;
  // Deno finds the imports of what it reads from stdin by the folder's config.
  const imports = fileURLToPath(new URL("../../scripts/offline/imports.json", import.meta.url));
  const argv = [Deno.execPath(), "run", "-A", "--no-lock", "--import-map", imports, "-"];
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const result = await run(argv, { cwd, stdin: script });
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals(result.code, 0, text(result.stderr));
  return JSON.parse(text(result.stdout)) as { digest: string; started: boolean };
}

Deno.test("a hit gives the same bundle and does not start the bundler", async () => {
  await using environment = await tempEnvironment(FILES);
  const first = await bundleElsewhere(environment);
  const second = await bundleElsewhere(environment);
  assertEquals([first.started, second.started], [true, false]);
  assertEquals(second.digest, first.digest);
});

Deno.test("three processes at once agree, and leave nothing half-done", async () => {
  await using environment = await tempEnvironment(FILES);
  const results = await Promise.all([1, 2, 3].map(() => bundleElsewhere(environment)));
  assertEquals(new Set(results.map(({ digest }) => digest)).size, 1);
  // One of them built it, the others waited for that.
  assertEquals(results.filter(({ started }) => started).length, 1);
  assertEquals([...Deno.readDirSync(join(environment.cacheDirectory, "tmp"))], []);
});

Deno.test("a change of any input gives another bundle", async () => {
  await using environment = await tempEnvironment(FILES);
  const digests = [(await environment.bundle()).digest];
  const changes = {
    "src/own.ts": "export const own = 2;",
    "node_modules/dependency/index.js": "export const version = 2;",
    "src/environment/tasks/main.ts": "export const other = 1;",
    "src/environment/data.txt": "more",
  };
  for (const [path, content] of Object.entries(changes)) {
    await environment.write(path, content);
    digests.push((await environment.bundle()).digest);
  }
  assertEquals(new Set(digests).size, digests.length);
});

Deno.test("deno.json is an input", async () => {
  await using environment = await tempEnvironment({
    "deno.json": '{ "imports": { "own": "./src/environment/a.ts" } }',
    "src/environment/a.ts": "export const own = 'a';",
    "src/environment/b.ts": "export const own = 'b';",
    "src/environment/tasks/main.ts": "export { own } from 'own';",
  });
  const before = await environment.bundle();
  await environment.write("deno.json", '{ "imports": { "own": "./src/environment/b.ts" } }');
  assertNotEquals((await environment.bundle()).digest, before.digest);
});

Deno.test("the same environment elsewhere has the same digest", async () => {
  await using one = await tempEnvironment(FILES);
  await using other = await tempEnvironment(FILES, "elsewhere");
  assertEquals((await one.bundle()).digest, (await other.bundle()).digest);
});

Deno.test("an entry that was changed, torn or emptied is built again", async () => {
  await using environment = await tempEnvironment(FILES);
  const { directory, digest } = await environment.bundle();
  const bundle = join(directory, "bundle", "environment.js");
  const whole = await Deno.readTextFile(bundle);
  const faults = [
    () => Deno.writeTextFile(bundle, `${whole}\nglobalThis.planted = true;`),
    () => Deno.truncate(bundle, 10),
    () => Deno.remove(bundle),
    () => Deno.writeTextFile(join(directory, "planted.js"), ""),
    () => Deno.remove(directory, { recursive: true }),
    () => Deno.symlink("/etc", join(directory, "planted")),
  ];
  for (const fault of faults) {
    await fault();
    assertEquals((await environment.bundle()).digest, digest);
    assertEquals(await Deno.readTextFile(bundle), whole);
    assertEquals([...Deno.readDirSync(directory)].length, 2);
  }
});

Deno.test("a record that can't be read is written again", async () => {
  await using environment = await tempEnvironment(FILES);
  const { digest } = await environment.bundle();
  const records = join(environment.cacheDirectory, "environments", "records");
  for (const { name } of Deno.readDirSync(records)) {
    if (name.endsWith(".json")) {
      await Deno.writeTextFile(join(records, name), '{ "digest": "../x" }');
    }
  }
  assertEquals((await environment.bundle()).digest, digest);
});

Deno.test("what is in the cache is for its owner only", async () => {
  await using environment = await tempEnvironment(FILES);
  await environment.bundle();
  for (const folder of ["", "environments", "tmp"]) {
    const { mode } = await Deno.stat(join(environment.cacheDirectory, folder));
    assertEquals((mode ?? 0) & 0o777, 0o700);
  }
});
