import { assertEquals, assertStringIncludes } from "@std/assert";
import { fakeCheckout } from "./fake_checkout.ts";

interface Gate {
  /** What the test runner prints. */
  summary?: string;
  /** The runner's exit status. */
  status?: number;
  /** A subcommand of deno that fails. */
  broken?: string;
}

/** Runs the whole gate on a deno that only pretends. */
async function gate({ summary = "", status = 0, broken = "none" }: Gate) {
  await using checkout = await fakeCheckout();
  for (const program of ["bwrap", "newuidmap"]) await checkout.program(program, "");
  await checkout.program(
    "deno",
    `case $1 in
      --version) echo "deno 2.9.6" ;;
      ${broken}) echo "trouble in ${broken}"; exit 1 ;;
      test) printf '${summary}\\n\\n'; exit ${status} ;;
    esac`,
  );
  const { code, stdout } = await checkout.script("test.sh");
  return { code, stdout, last: stdout.trimEnd().split("\n").at(-1) };
}

Deno.test("test.sh ends with the runner's counts", async () => {
  const { code, last } = await gate({ summary: "ok | 12 passed (3 steps) | 0 failed (2s)" });
  assertEquals([code, last], [0, "12 passed, 0 failed"]);
});

Deno.test("test.sh counts ignored tests as skipped", async () => {
  const summary = "\\033[0m\\033[32mok\\033[0m | 7 passed | 0 failed | 2 ignored (3 steps) (9ms)";
  assertEquals((await gate({ summary })).last, "7 passed, 0 failed, 2 skipped");
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
