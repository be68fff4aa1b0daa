import { assertEquals, assertStringIncludes } from "@std/assert";
import { fakeCheckout } from "./fake_checkout.ts";

interface Gate {
  /** What the test runner prints. */
  summary?: string;
  /** The runner's exit status. */
  status?: number;
  /** A subcommand of deno that fails. */
  broken?: string;
  /** Exit status of the compilation. */
  compile?: number;
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
    compiled = "",
    engines = 0,
    args = [],
    env = {},
  }: Gate,
) {
  await using checkout = await fakeCheckout();
  for (const program of ["bwrap", "newuidmap"]) await checkout.program(program, "");
  await Deno.writeTextFile(`${checkout.path}/scripts/engines.sh`, `echo "for $*"; exit ${engines}`);
  await Deno.writeTextFile(`${checkout.path}/scripts/litellm.sh`, "exit 3");
  await checkout.program(
    "deno",
    `case $1 in
      --version) echo "deno 2.9.6" ;;
      run) case $* in *compile.ts*) echo "trouble in compile" >&2; exit ${compile} ;; esac ;;
    esac
    case $1 in
      ${broken}) echo "trouble in ${broken}"; exit 1 ;;
      test)
        [ -z "$KAROTTE_BINARY" ] || { echo "$@"; printf '${compiled}\\n'; exit 0; }
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
  assertStringIncludes(
    stdout,
    "--trace-leaks tests/cli tests/binary tests/conformance/plugins_test.ts\n",
  );
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
