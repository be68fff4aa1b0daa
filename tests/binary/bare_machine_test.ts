import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { basename, join } from "@std/path";
import { bareMachine, binaryTest } from "./binary.ts";

const RUN = ["-C", "my env", "run", "--task", "example_task", "--fake-model", "--run-id", "r1"];

async function names(directory: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(directory));
  return entries.map(({ name }) => name).sort();
}

binaryTest(
  "an environment is made, listed, checked and run without Deno or node",
  async (binary) => {
    await using machine = await bareMachine(binary);
    const { karotte, path } = machine;
    const created = await karotte(["create-env", "my env"]);
    assertEquals([created.code, created.stderr], [0, ""]);
    const config = JSON.parse(await Deno.readTextFile(join(path, "my env/deno.json")));
    assertEquals(config.links, undefined);

    const listed = await karotte(["-C", "my env", "tasks", "list"]);
    assertEquals(listed, { code: 0, stdout: 'Tasks:\n  "example_task"\n', stderr: "" });
    const checked = await karotte(["-C", "my env", "check"]);
    assertEquals([checked.code, checked.stdout.split("\n")[0]], [0, "tasks: 1"], checked.stderr);
    const ran = await karotte(RUN);
    assertMatch(ran.stdout, /^run r1: passed\n {2}step 0: score 1\n {2}step 1: score 1\n/);
    assertEquals(ran.code, 0, ran.stderr);

    // Nothing is left behind but the cache: no code cache in the temporary folder above all.
    assertEquals(await names(machine.home), [".cache", ".config"]);
    assertEquals(await names(join(machine.home, ".cache")), ["karotte"]);
    assertEquals(await names(machine.temporary), []);
  },
);

binaryTest("what lies where it seems to have its modules is not loaded", async (binary) => {
  await using machine = await bareMachine(binary);
  const planted = `await Deno.writeTextFile(${JSON.stringify(`${machine.path}/planted`)}, "");`;
  for (
    const folder of [
      `deno-compile-${basename(binary)}`,
      "node_modules/chokidar",
      "node_modules/process",
    ]
  ) {
    const place = join(machine.temporary, folder);
    await Deno.mkdir(join(place, "assets"), { recursive: true });
    for (const name of ["main.js", "index.js", "assets/esbuild.js.gz", "package.json"]) {
      await Deno.writeTextFile(join(place, name), name === "package.json" ? "{}" : planted);
    }
  }
  const created = await machine.karotte(["create-env", "my env"]);
  assertEquals([created.code, created.stderr], [0, ""]);
  const listed = await machine.karotte(["-C", "my env", "tasks", "list"]);
  assertEquals([listed.code, listed.stderr], [0, ""]);
  assertEquals((await names(machine.path)).includes("planted"), false);
});

binaryTest("two at once on an empty cache both run", async (binary) => {
  await using machine = await bareMachine(binary);
  await machine.karotte(["create-env", "my env"]);
  const both = await Promise.all(
    ["r1", "r2"].map((id) => machine.karotte([...RUN.slice(0, -1), id])),
  );
  assertEquals(both.map(({ code }) => code), [0, 0], both.map(({ stderr }) => stderr).join("\n"));
  assertEquals(both.map(({ stdout }) => stdout.split("\n")[0]), [
    "run r1: passed",
    "run r2: passed",
  ]);
});

binaryTest(
  "it may lie anywhere, under any name, on a disk that can't be written",
  async (binary) => {
    await using machine = await bareMachine(binary);
    const { karotte, path, home } = machine;
    await karotte(["create-env", "my env"]);
    const folder = join(path, "read only é #%");
    await Deno.mkdir(folder);
    await Deno.copyFile(binary, join(folder, "other name"));
    const there = (args: string[], writable: string[] = []) =>
      machine.run([
        ...["bwrap", "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"],
        ...writable.flatMap((place) => ["--bind", place, place]),
        ...["--chdir", folder, "--", "./other name", ...args],
      ]);
    assertEquals((await there(["--version"])).code, 0);
    const refused = await there(["-C", `${path}/my env`, "tasks", "list"]);
    assertEquals([refused.code, refused.stdout], [2, ""]);
    assertMatch(refused.stderr, /^error: [^\n]+\nhint: [^\n]+\n$/);
    assertStringIncludes(refused.stderr, `"${home}/.cache/karotte`);
    assertStringIncludes(refused.stderr, "Read-only file system");
    const listed = await there(["-C", `${path}/my env`, "tasks", "list"], [home]);
    assertEquals([listed.code, listed.stdout], [0, 'Tasks:\n  "example_task"\n'], listed.stderr);
  },
);

binaryTest("without HOME and with a cache of somebody else it says what to do", async (binary) => {
  await using machine = await bareMachine(binary);
  await machine.karotte(["create-env", "my env"]);
  const list = (env: Record<string, string>) =>
    machine.karotte(["-C", "my env", "tasks", "list"], { env });
  const homeless = await list({ HOME: "" });
  assertEquals([homeless.code, homeless.stdout], [2, ""]);
  assertStringIncludes(homeless.stderr, "HOME is not set\nhint: Name a folder in KAROTTE_CACHE.");
  const cache = join(machine.path, "cache");
  await Deno.mkdir(cache);
  await Deno.chmod(cache, 0o777);
  const shared = await list({ KAROTTE_CACHE: cache });
  assertEquals([shared.code, shared.stdout], [2, ""]);
  assertStringIncludes(
    shared.stderr,
    `everyone may write to "${cache}"\nhint: Name a folder of your own in KAROTTE_CACHE.`,
  );
});
