import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { fakeCheckout } from "./fake_checkout.ts";

interface Gate {
  /** What the test runner prints of the tests that need no engine. */
  summary?: string;
  /** The runner's exit status. */
  status?: number;
  /** A subcommand of deno that fails. */
  broken?: string;
  /** Exit status of the compilation. */
  compile?: number;
  /** What the runner prints of the tests on engines. */
  onEngines?: string;
  /** What the runner prints of the compiled program. */
  compiled?: string;
  /** What the set-up of engines exits with. */
  engines?: number;
  args?: string[];
  env?: Record<string, string>;
}

/** Runs the whole gate on a deno that only pretends. */
async function gate(
  {
    summary = "",
    status = 0,
    broken = "none",
    compile = 0,
    onEngines = "",
    compiled = "",
    engines = 0,
    args = [],
    env = {},
  }: Gate,
) {
  await using checkout = await fakeCheckout();
  for (const program of ["bwrap", "newuidmap"]) await checkout.program(program, "");
  await Deno.writeTextFile(`${checkout.path}/scripts/engines.sh`, `echo "for $*"; exit ${engines}`);
  await Deno.writeTextFile(`${checkout.path}/scripts/litellm.sh`, 'echo "litellm $*" >&2; exit 3');
  await checkout.program(
    "deno",
    `case $1 in
      --version) echo "deno 2.9.6" ;;
      run) case $* in *compile.ts*) echo "trouble in compile" >&2; exit ${compile} ;; esac ;;
    esac
    case $1 in
      ${broken}) echo "trouble in ${broken}"; exit 1 ;;
      test)
        [ -z "$KAROTTE_BINARY" ] || { echo "compiled: $@"; printf '${compiled}\\n'; exit 0; }
        case " $* " in *" tests/engines "*) echo "engines: $@"; printf '${onEngines}\\n'; exit 0 ;; esac
        echo "plain: $@"
        printf '${summary}\\n\\n'
        exit ${status} ;;
    esac`,
  );
  const { code, stdout } = await checkout.script("test.sh", args, env);
  return { code, stdout, last: stdout.trimEnd().split("\n").at(-1) };
}

Deno.test("test.sh ends with the runner's counts", async () => {
  const { code, last } = await gate({ summary: "ok | 12 passed (3 steps) | 0 failed (2s)" });
  assertEquals([code, last], [0, "12 passed, 0 failed"]);
});

Deno.test("test.sh counts ignored tests as skipped", async () => {
  const summary = "\\033[0m\\033[32mok\\033[0m | 7 passed | 0 failed | 2 ignored (3 steps) (9ms)";
  const { stdout, last } = await gate({ summary });
  assertEquals(last, "7 passed, 0 failed");
  assertStringIncludes(stdout, "\n2 skipped: ");
});

Deno.test("test.sh fails with a failed test", async () => {
  const { code, last } = await gate({
    summary: "FAILED | 3 passed | 2 failed (1 step) (1s)",
    status: 1,
  });
  assertEquals([code, last], [1, "3 passed, 2 failed"]);
});

Deno.test("test.sh trusts the last summary, and the runner's status more", async () => {
  const forged = "ok | 99 passed | 0 failed (1s)\\nFAILED | 1 passed | 1 failed (1s)";
  assertEquals((await gate({ summary: forged, status: 1 })).last, "1 passed, 1 failed");
  const killed = await gate({ summary: "ok | 9 passed | 0 failed (1s)", status: 137 });
  assertEquals([killed.code, killed.last], [1, "9 passed, 1 failed"]);
  assertEquals((await gate({ status: 1 })).last, "0 passed, 1 failed");
});

Deno.test("test.sh runs every stage though one fails, and counts it", async () => {
  for (const broken of ["fmt", "lint", "check", "run"]) {
    const { code, stdout, last } = await gate({ summary: "ok | 5 passed | 0 failed", broken });
    assertEquals([code, last], [1, "5 passed, 1 failed"], broken);
    assertStringIncludes(stdout, `trouble in ${broken}`);
  }
});

Deno.test("test.sh ends with the counts when set-up fails", async () => {
  const { code, last } = await gate({ broken: "install" });
  assertEquals([code, last], [1, "0 passed, 1 failed"]);
});

Deno.test("test.sh tests the compiled program too, and adds the counts", async () => {
  const summary = "ok | 12 passed | 0 failed | 1 ignored (2s)";
  const compiled = "FAILED | 3 passed | 2 failed | 1 ignored (2s)";
  const { code, stdout, last } = await gate({ summary, compiled });
  assertEquals([code, last], [1, "15 passed, 2 failed"]);
  assertMatch(stdout, /^compiled: .* tests\/binary .* tests\/cli\/run_test.ts /m);
  assertStringIncludes(stdout, "left out: tests of the command line that are the same in the ");
  const all = await gate({ summary, compiled, env: { KAROTTE_TEST_ALL: "1" } });
  assertMatch(all.stdout, /^compiled: .* tests\/binary tests\/cli tests\/conformance\/plugins_/m);
  assertEquals(all.stdout.includes("left out"), false);
});

Deno.test("test.sh has two tiers", async () => {
  const counts = {
    summary: "ok | 10 passed | 0 failed (2s)",
    onEngines: "ok | 200 passed | 0 failed (2s)",
    compiled: "ok | 3000 passed | 0 failed (2s)",
  };
  assertEquals((await gate(counts)).last, "3210 passed, 0 failed");
  const plain = await gate({ ...counts, args: ["--plain"] });
  assertEquals(plain.last, "10 passed, 0 failed");
  assertMatch(plain.stdout, /^== format\n/m);
  assertEquals(/for docker podman|^litellm/m.test(plain.stdout), false);
  const engines = await gate({ ...counts, args: ["--engines"] });
  assertEquals(engines.last, "3200 passed, 0 failed");
  assertEquals(engines.stdout.includes("== format"), false);
});

Deno.test("each test of the repository is in one tier", async () => {
  const { stdout } = await gate({});
  const [, ignored = ""] = /^plain: .*--ignore=(\S+)/m.exec(stdout) ?? [];
  const [, given = ""] = /^engines: .*--trace-leaks (.+)$/m.exec(stdout) ?? [];
  assertEquals(ignored.split(","), ["tests/binary", ...given.split(" ")]);
  const compiled = /^compiled: .*--trace-leaks (.+)$/m.exec(stdout)?.[1] ?? "";
  const root = dirname(import.meta.dirname ?? ".");
  for (const folder of Deno.readDirSync(join(root, "tests"))) {
    for (
      const { name } of folder.isDirectory ? Deno.readDirSync(join(root, "tests", folder.name)) : []
    ) {
      if (!/^(docker|docker_\w+|nerdctl|podman)_test\.ts$/.test(name)) continue;
      const places = [`tests/${folder.name}`, `tests/${folder.name}/${name}`];
      assertEquals([name, places.some((place) => given.split(" ").includes(place))], [name, true]);
    }
  }
  for (const path of [...given.split(" "), ...compiled.split(" ")]) {
    assertEquals([path, (await Deno.stat(join(root, path))).isSymlink], [path, false]);
  }
});

Deno.test("test.sh tells what was left out for time from what could not be run", async () => {
  const summary =
    "a (left out for time: KAROTTE_TEST_ALL=1 runs it) ... \\033[33mignored\\033[0m (0ms)" +
    "\\nb (ignored: no docker) ... ignored (0ms)\\nok | 7 passed | 0 failed | 2 ignored (9ms)";
  const { stdout, last } = await gate({ summary });
  assertEquals(last, "7 passed, 0 failed");
  assertStringIncludes(stdout, "\n1 left out for time: KAROTTE_TEST_ALL=1 runs them\n1 skipped: ");
});

Deno.test("test.sh fetches other people's server only where all tests run", async () => {
  assertStringIncludes((await gate({})).stdout, "litellm --installed\n");
  assertStringIncludes((await gate({ env: { KAROTTE_TEST_ALL: "1" } })).stdout, "litellm \n");
});

Deno.test("test.sh with arguments leaves the compiled program out", async () => {
  const summary = "ok | 1 passed | 0 failed";
  const args = ["src/base"];
  assertEquals((await gate({ summary, compiled: summary, args })).last, "1 passed, 0 failed");
});

Deno.test("test.sh fails when the program does not compile", async () => {
  const { code, last } = await gate({ summary: "ok | 5 passed | 0 failed", compile: 1 });
  assertEquals([code, last], [1, "5 passed, 1 failed"]);
});

Deno.test("test.sh says that there is nothing to extend, and fails for it in CI", async () => {
  const summary = "ok | 5 passed | 0 failed";
  const here = await gate({ summary, compile: 3 });
  assertEquals([here.code, here.last], [0, "5 passed, 0 failed"]);
  assertStringIncludes(here.stdout, "ignored: compiled program: there is no executable to extend");
  const there = await gate({ summary, compile: 3, env: { CI: "true" } });
  assertEquals([there.code, there.last], [1, "5 passed, 1 failed"]);
  assertStringIncludes(there.stdout, "failed: compiled program: there is no executable to extend");
});

Deno.test("test.sh gets the engines ready; without them it fails in CI", async () => {
  const summary = "ok | 1 passed | 0 failed (1ms)";
  const ready = await gate({ summary });
  assertStringIncludes(ready.stdout, "for docker podman");
  assertEquals((await gate({ summary, engines: 1 })).last, "1 passed, 0 failed");
  const inCi = await gate({ summary, engines: 1, env: { CI: "true" } });
  assertEquals([inCi.code, inCi.last], [1, "1 passed, 1 failed"]);
});
