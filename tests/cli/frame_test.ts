import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { ROOT, type Said, textOf } from "./karotte.ts";
import { NOWHERE } from "../support/nowhere.ts";
import { PLAIN_TEXT } from "../support/plain_text.ts";

const FIXTURE = `${ROOT}tests/fixtures/cli/main.ts`;
const DENO = [
  Deno.execPath(),
  "run",
  "--allow-all",
  "--no-lock",
  "--quiet",
  `--import-map=${ROOT}scripts/offline/imports.json`,
];

async function call(args: string[], env = {}, cwd = ROOT): Promise<Said> {
  const result = await run([...DENO, FIXTURE, ...args], {
    env: { ...PLAIN_TEXT, KAROTTE_DEBUG: "", ...env },
    cwd,
  });
  return { code: result.code, stdout: textOf(result.stdout), stderr: textOf(result.stderr) };
}

const cli = (...args: string[]) => call(args);

async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(...args);
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /^error: [^\n]+\nhint: [^\n]+\n$/);
  return stderr;
}

Deno.test("karotte --help loads neither zod nor a command", async () => {
  const importMap = `--import-map=${ROOT}scripts/offline/imports.json`;
  const argv = [Deno.execPath(), "info", "--json", "--no-lock", importMap, `${ROOT}main.ts`];
  const info = await run(argv, { cwd: ROOT });
  const { modules } = JSON.parse(textOf(info.stdout));
  const byUrl = new Map<string, Module>(
    modules.map((module: Module) => [module.specifier, module]),
  );
  const loaded = new Set<string>();
  const load = (url: string | undefined) => {
    if (url === undefined || loaded.has(url)) return;
    loaded.add(url);
    for (const { code, isDynamic } of byUrl.get(url)?.dependencies ?? []) {
      if (!isDynamic) load(code?.specifier);
    }
  };
  const root = new URL("../../", import.meta.url).href;
  load(`${root}main.ts`);
  load(`${root}src/cli/help.ts`);
  const names = [...loaded].map((url) => url.replace(root, "")).sort();
  assertEquals(names, [
    "main.ts",
    "src/base/errors.ts",
    "src/base/log.ts",
    "src/base/one_line.ts",
    "src/cli/declaration.ts",
    "src/cli/error_report.ts",
    "src/cli/frame.ts",
    "src/cli/global_flags.ts",
    "src/cli/help.ts",
    "src/cli/main.ts",
    "src/cli/mod.ts",
    "src/harness/commands.ts",
  ]);
});

interface Module {
  specifier: string;
  dependencies?: { code?: { specifier: string }; isDynamic?: boolean }[];
}

Deno.test("every way to ask for a command's help prints the same", async () => {
  const { code, stdout } = await cli("greet", "--help");
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Usage: karotte greet [NAME] [FLAGS]");
  for (const args of [["greet", "-h"], ["help", "greet"], ["greet", "x", "--loud", "--help"]]) {
    assertEquals((await cli(...args)).stdout, stdout);
  }
  assertMatch((await cli("help", "group", "list")).stdout, /^Usage: karotte group list /);
  assertMatch((await cli("group", "--help")).stdout, /^ {2}list {2}List\.$/m);
  assertMatch((await cli("both", "--help")).stdout, /^ {2}inner {2}In\.$/m);
});

Deno.test("commands get their arguments, sub-commands and hidden ones too", async () => {
  const said = async (...args: string[]) => JSON.parse((await cli(...args)).stdout);
  assertEquals((await said("greet", "--loud", "you")).name, "you");
  assertEquals((await said("group", "list")).path, "karotte group list");
  assertEquals((await said("secret")).path, "karotte secret");
  assertEquals((await said("both", "x")).name, "x");
  assertEquals((await said("greet", "--", "--help")).name, "--help");
  assertEquals((await cli("both", "inner")).code, 7);
  assertEquals((await cli("status")).code, 7);
});

Deno.test("a command without a status ends when it has nothing left to do", async () => {
  assertEquals(await cli("linger"), { code: 0, stdout: "done\n", stderr: "" });
});

Deno.test("a command for our own use gets its arguments untouched", async () => {
  const args = ["a", "--help", "-h", "--", "--x=1", ""];
  assertEquals(JSON.parse((await cli("raw", ...args)).stdout), args);
});

Deno.test("-C names the environment's directory, before or after the command", async () => {
  await using dir = await tempDir();
  const path = await Deno.realPath(dir.path);
  await Deno.mkdir(`${path}/inner`);
  const directory = async (...args: string[]) =>
    JSON.parse((await call(args, {}, path)).stdout).directory;
  assertEquals(await directory("greet"), path);
  assertEquals(await directory("-C", "inner", "greet"), `${path}/inner`);
  assertEquals(await directory("greet", "-C", `${path}/inner`), `${path}/inner`);
  assertStringIncludes(await refusal("-C", "/a", "greet", "-C", "/b"), "more than once");
  assertStringIncludes(await refusal("-C", "/a", "-C", "/b", "greet"), "more than once");
  assertStringIncludes(await refusal("-C", NOWHERE, "greet"), `"${NOWHERE}": no such directory`);
  assertStringIncludes(await refusal("-C", FIXTURE, "greet"), "not a directory");
  assertStringIncludes(await refusal("-C"), "needs a directory");
});

Deno.test("a wrong command or flag is refused with the nearest right one", async () => {
  assertStringIncludes(
    await refusal("gret"),
    'karotte "gret": no such command\nhint: did you mean greet?',
  );
  assertStringIncludes(await refusal("group", "lst"), "did you mean list?");
  assertStringIncludes(await refusal("group"), "it needs one of list");
  assertStringIncludes(await refusal("greet", "--lod"), "did you mean --loud?");
  assertStringIncludes(await refusal("help", "gret"), "did you mean greet?");
  assertEquals((await refusal("zzzzzzz")).includes("did you mean"), false);
  assertEquals((await refusal("secre")).includes("secret?"), false);
  assertStringIncludes(await refusal("toString"), "no such command");
  assertStringIncludes(await refusal("--loud"), "no such flag");
});

Deno.test("an error's code is the exit status, its hint is told, no stack trace", async () => {
  const statuses = { run: 1, usage: 2, runtime: 3, plugin: 4, interrupted: 130 };
  for (const [name, code] of Object.entries(statuses)) {
    const stderr = 'error: Cannot "x": y\nhint: do z\n';
    assertEquals(await cli("fail", name), { code, stdout: "", stderr });
  }
});

Deno.test("a fault of ours shows its stack trace only with KAROTTE_DEBUG=1", async () => {
  for (const command of ["crash", "reject", "timer"]) {
    const { code, stderr } = await cli(command);
    assertEquals([code, stderr.split("\n").length], [1, 3]);
    assertMatch(stderr, /^internal error: unexpected\nhint: KAROTTE_DEBUG=1 /);
  }
  const debug = await call(["crash"], { KAROTTE_DEBUG: "1" });
  assertMatch(debug.stderr, /^internal error: unexpected\nRangeError: unexpected\n +at /);
});

Deno.test("a reader that goes away ends the command silently, as SIGPIPE would", async () => {
  const script = `{ "$@"; echo "status $?" >&2; } | head -1`;
  const result = await run(["bash", "-c", script, "_", ...DENO, FIXTURE, "count"]);
  assertEquals([textOf(result.stdout), textOf(result.stderr)], ["line 0\n", "status 141\n"]);
});
