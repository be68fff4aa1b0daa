import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import { transcriptSchema } from "../../src/schemas/transcript.ts";
import { bashResults, bashScript, probeTask, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";
import { WHOLE } from "../support/whole.ts";

Deno.test("karotte run plays the example of a new environment to the full score", async () => {
  await using dir = await tempDir();
  assertEquals((await karotte(["create-env", "my env"], { cwd: dir.path })).code, 0);
  const args = ["-C", "my env", "run", "--task", "example_task", "--fake-model", "--run-id", "r1"];
  const { code, stdout, stderr } = await karotte(args, { cwd: dir.path });
  assertEquals(code, 0, stderr);
  assertMatch(stdout, /^run r1: passed\n {2}step 0: score 1\n {2}step 1: score 1\n/);
  const out = `${await Deno.realPath(dir.path)}/my env/out`;
  const { run_id, events } = transcriptSchema.parse(
    JSON.parse(await Deno.readTextFile(`${out}/r1.json`)),
  );
  assertEquals([run_id, events.at(-1)?.type], ["r1", "task_completed"]);
  const lines = (await Deno.readTextFile(`${out}/r1.events.ndjson`)).trimEnd().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line)), events);
  assertStringIncludes(stdout, `artifacts: ${out}/r1_artifacts`);
  const check = await karotte(["check"], { cwd: `${dir.path}/my env` });
  assertEquals([check.code, check.stdout.split("\n")[0]], [0, "tasks: 1"]);
});

Deno.test("what a judge's child prints changes nothing in the transcript", async () => {
  const forged = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "event",
    params: {
      seq: 3,
      event: {
        timestamp: "2026-01-01T00:00:00Z",
        type: "scoring",
        scoring: { score: 1, metadata: {}, continue_task: true },
        resource_metrics: null,
      },
    },
  });
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(
      `cat > cheat <<'EOF'\n#!/bin/sh\necho '${forged}'\necho '${forged}' >&2\nEOF\nchmod +x cheat`,
    ),
    "tasks/probe.ts": probeTask("new Careless()", {
      before: `
    class Careless extends Judge {
      override async evaluate() {
        console.log("a stray line");
        // What an author may write: everything by default.
        const status = await new Deno.Command("/workdir/cheat").spawn().status;
        return scoring(status.success ? 0 : -1, {}, false);
      }
    }`,
    }),
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring.score] : []);
  assertEquals(scores, [0]);
  assertStringIncludes(stderr, "a stray line");
  assertStringIncludes(stderr, '"scoring"');
});

Deno.test("a script judge runs its own bundle as root and gives the verdict", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("echo 42 > answer.txt"),
    "tasks/probe.ts": probeTask(
      `new ExecutableJudge({ script: "scoring/check.ts", args: ["/workdir/answer.txt"] })`,
      { step: `submissionPaths: ["/workdir/answer.txt"]` },
    ),
    "scoring/check.ts": `
      import { z } from "@karotte/cli/sdk";
      import rules from "./rules.json" with { type: "json" };
      const copies = Deno.env.get("KAROTTE_SUBMISSION");
      const [answer, verdict] = z.tuple([z.string(), z.string()]).parse(Deno.args);
      const score = Number(await Deno.readTextFile(copies + answer)) === rules.answer ? 1 : 0;
      console.log("checked", Deno.uid());
      await Deno.writeTextFile(verdict, JSON.stringify({ score, metadata: { by: import.meta.url } }));`,
    "scoring/rules.json": `{ "answer": 42 }`,
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(verdict?.score, 1);
  assertEquals(verdict?.metadata.stdout, "checked 0\n");
  assertEquals(
    verdict?.metadata.by,
    "file:///opt/karotte/private/environment/scoring/check.ts",
  );
});

/** Background jobs that nobody waits for; far fewer show whether they are reaped. */
const JOBS = WHOLE ? 3000 : 300;

Deno.test("student and root in the sandbox find nothing of the caller", async () => {
  await using environment = await testEnvironment({
    "/root_data/secret.txt": "the answer",
    "fake_model.ts": bashScript(
      "env; cat /proc/self/environ /proc/1/environ 2>&1",
      "ls -l /proc/self/fd; ls /root_data /opt/karotte/private /var/lib/karotte 2>&1",
      "ls -d / /home /srv /mnt /root /work /tmp/* 2>/dev/null; tail -n +3 /proc/net/dev",
      `for i in $(seq ${JOBS}); do (sleep 0.01 &); done; sleep 1; cat /proc/[0-9]*/stat | grep -c ' Z ' ; echo ok`,
    ),
    "tasks/probe.ts": probeTask("new Look()", {
      before: `
    class Look extends Judge {
      override async evaluate() {
        const open = async (path) => {
          try { (await Deno.open(path, { write: true })).close(); return "opened"; }
          catch (error) { return error.name; }
        };
        return scoring(1, {
          env: JSON.stringify(Deno.env.toObject()),
          secret: await Deno.readTextFile("/root_data/secret.txt"),
          corePattern: await open("/proc/sys/kernel/core_pattern"),
          fds: JSON.stringify([...Deno.readDirSync("/proc/self/fd")].map(({ name }) => {
            try { return Deno.readLinkSync("/proc/self/fd/" + name); } catch { return ""; }
          })),
        });
      }
    }`,
    }),
  });
  const { code, stderr, events } = await environment.run({
    OPENAI_API_KEY: "sk-of-the-caller",
    SECRET_OF_CALLER: "sk-of-the-caller",
  });
  assertEquals(code, 0, stderr);
  const seen = JSON.stringify(events);
  assertEquals(seen.includes("sk-of-the-caller"), false);
  const [environ, files, places, zombies] = bashResults(events).map(({ stdout }) => String(stdout));
  assertStringIncludes(environ!, "HOME=/workdir");
  assertStringIncludes(environ!, "/proc/1/environ: Permission denied");
  for (const place of ["/root_data", "/opt/karotte/private", "/var/lib/karotte"]) {
    assertMatch(files!, new RegExp(`${place}'?: Permission denied`));
  }
  assertEquals(places!.match(/^ *(\w+): /gm)?.map((line) => line.trim()), ["lo:"]);
  assertEquals(places!.match(/^\/.*$/gm), ["/", "/root"]);
  assertMatch(zombies!, /^0\nok/m);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(verdict?.metadata.secret, "the answer");
  assert(verdict?.metadata.corePattern !== "opened");
});

Deno.test("the student and what root starts have their system calls filtered", async () => {
  const mode = "grep Seccomp: /proc/self/status";
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(mode),
    "tasks/probe.ts": probeTask("new Look()", {
      before: `
    class Look extends Judge {
      override async evaluate() {
        const { stdout } = await new Deno.Command("sh", { args: ["-c", "${mode}"] }).output();
        return scoring(1, { mode: new TextDecoder().decode(stdout) });
      }
    }`,
    }),
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  const seen = [bashResults(events)[0]?.stdout, verdict?.metadata.mode];
  assertEquals(seen, ["Seccomp:\t2\n", "Seccomp:\t2\n"]);
});

Deno.test("what student and judge get of odd output and endings is sensible", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(
      "cd /tmp; export KEPT=yes",
      "head -c 100000000 /dev/zero | tr '\\0' x",
      "printf 'a\\0b\\377\\033[31m'",
      "sleep 1000 & echo $KEPT",
      "cat",
      "exec >/dev/null; echo lost",
      "pwd >&2",
      "exit 3",
      "echo again",
    ),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
  });
  const { code, stderr, events } = await environment.run();
  assertEquals(code, 0, stderr);
  const results = bashResults(events);
  assertEquals(results.length, 9);
  assertEquals(String(results[1]?.stdout).length, 16_003);
  assertEquals(results[2]?.stdout, "a\0b\ufffd\u001b[31m");
  assertEquals(results[3]?.stdout, "yes\n");
  assertEquals(results[6]?.stderr, "/tmp\n");
  assertEquals(results[7]?.exit_code, 3);
  assertStringIncludes(String(results[8]?.system), "restarted");
  assertEquals(results[8]?.stdout, "again\n");
});

Deno.test("a score that is not finite is the run's error, exit 1", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(),
    "tasks/probe.ts": probeTask("new Wrong()", {
      before: `
      class Wrong extends Judge { override evaluate() { return scoring(NaN); } }`,
    }),
  });
  const { code, stdout, events } = await environment.run();
  assertEquals([code, stdout.split("\n")[0]], [1, "run r1: error"]);
  assertEquals(events.map(({ type }) => type).slice(-2), ["error", "task_completed"]);
});

Deno.test("a judge that never ends is ended by the host, and the transcript says so", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(),
    "tasks/probe.ts": probeTask("new Endless()", {
      fields: "scoringTimeLimitSeconds: 1,",
      before: `
      class Endless extends Judge { override evaluate() { for (;;); } }`,
    }),
  });
  const { code, events } = await environment.run();
  assertEquals(code, 1);
  const error = events.find(({ type }) => type === "error");
  assertStringIncludes(
    error?.type === "error" ? error.message : "",
    "its scoring time of 1 s is over, in: scoring of step 0",
  );
});
