import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { bashResults, bashScript, probeTask, testEnvironment } from "./environment.ts";

/** Prints how many filters of system calls hold, those of the machine's own included. */
const FILTERS = "awk '/^Seccomp_filters:/ { print $2 }' /proc/self/status";

Deno.test("a guard is off only for a host that says so, which the transcript then holds", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(FILTERS, 'echo "$KAROTTE_TEST_WITHOUT"'),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
  });
  const guarded = await environment.run();
  assertEquals(bashResults(guarded.events)[1]?.stdout, "\n");
  assertEquals(guarded.events.filter(({ type }) => type === "warning"), []);
  await Deno.remove(`${environment.path}/out`, { recursive: true });
  const unguarded = await environment.run({ KAROTTE_TEST_WITHOUT: "filter" });
  const [filters, fewer] = [guarded, unguarded].map(({ events }) =>
    Number(bashResults(events)[0]?.stdout)
  );
  assertEquals(fewer, filters! - 1);
  assertMatch(unguarded.stderr, /^warning: KAROTTE_TEST_WITHOUT switches off filter: SCORES/m);
  const warnings = unguarded.events.flatMap((event) =>
    event.type === "warning" ? [event.metadata.warning] : []
  );
  assertEquals(warnings.length, 1);
  assertStringIncludes(warnings[0]!, 'the guard "filter" is switched off');
  const refused = await environment.run({ KAROTTE_TEST_WITHOUT: "walls" });
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, 'Cannot do without "walls"');
});
