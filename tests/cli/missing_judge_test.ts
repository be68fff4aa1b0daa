import { assertEquals, assertStringIncludes } from "@std/assert";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

Deno.test("faults 2.2: a script that is missing is found by check, and is an error of the run", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("true"),
    "tasks/probe.ts": probeTask(`new ExecutableJudge({ script: "scoring/nosuch.ts" })`),
    "scoring/other.ts": "",
  });
  const message = 'step 0: Script "scoring/nosuch.ts": there is no such file in src/environment';
  const check = await karotte(["check"], { cwd: environment.path });
  assertEquals(check.code, 2);
  assertStringIncludes(check.stderr, `Task "probe", ${message}`);
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 1, stderr);
  assertStringIncludes(stderr, message);
  assertEquals(events.slice(-2).map(({ type }) => type), ["error", "task_completed"]);
  assertEquals(events.filter(({ type }) => type === "scoring"), []);
});

/** An environment whose judge is this program, and whose student removes it. */
function judgedBy(program: string) {
  return testEnvironment({
    "fake_model.ts": bashScript("touch check.sh; rm check.sh"),
    "tasks/probe.ts": probeTask(`new ExecutableJudge({ argv: ["${program}"] })`),
  });
}

Deno.test("faults 2.2: a program that the student may have removed scores 0", async () => {
  await using environment = await judgedBy("/workdir/check.sh");
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(scores.map(({ score }) => score), [0]);
  assertEquals(scores[0]?.metadata.misbehavior, 'the student may have changed "/workdir/check.sh"');
});

Deno.test("faults 2.2: a program of root's that is missing is an error of the run", async () => {
  const program = "/usr/lib/no-such-program";
  await using environment = await judgedBy(program);
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 1);
  assertStringIncludes(stderr, `Cannot start "${program}": program not found`);
  assertEquals(events.filter(({ type }) => type === "scoring"), []);
});
