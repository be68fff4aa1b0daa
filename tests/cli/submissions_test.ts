import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { exists } from "../../src/base/files.ts";
import {
  bashResults,
  bashScript,
  probeTask,
  readEvents,
  type RunResult,
  testEnvironment,
} from "./environment.ts";
import { karotte } from "./karotte.ts";

const SCRIPT = `
  const [expected, verdict] = Deno.args;
  const folder = Deno.env.get("KAROTTE_SUBMISSION");
  const text = await Deno.readTextFile(folder + "/workdir/answer.txt").catch(() => "");
  const score = text === await Deno.readTextFile(expected) ? 1 : 0;
  await Deno.writeTextFile(verdict, JSON.stringify({ score, metadata: { text } }));`;

/** A task whose answer is a file, with a judge that compares it with root's. */
function answerTask(commands: readonly string[], step = "") {
  return testEnvironment({
    "fake_model.ts": bashScript(...commands),
    "/root_data/expected.txt": "42\n",
    "scoring/check.ts": SCRIPT,
    "tasks/probe.ts": probeTask(
      'new ExecutableJudge({ script: "scoring/check.ts", args: ["/root_data/expected.txt"] })',
      { step: `submissionPaths: ["/workdir/answer.txt"], ${step}` },
    ),
  });
}

function verdictOf({ events, stderr }: RunResult) {
  const [verdict] = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assert(verdict !== undefined, stderr);
  return verdict;
}

Deno.test("a judge reads the harness's copy of an honest answer, which is an artifact too", async () => {
  await using environment = await answerTask(["echo 42 > answer.txt"]);
  const verdict = verdictOf(await environment.run());
  assertEquals([verdict.score, verdict.metadata.text], [1, "42\n"]);
  const artifact = `${environment.path}/out/r1_artifacts/answer.txt`;
  assertEquals(await Deno.readTextFile(artifact), "42\n");
});

Deno.test("of two submissions with one name no artifact takes the other's place", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("mkdir a b; echo 1 > a/x.txt; echo 2 > b/x.txt"),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()", {
      step: 'submissionPaths: ["/workdir/a/x.txt", "/workdir/b/x.txt"],',
    }),
  });
  const { events, stderr } = await environment.run();
  const kept = async (name: string) =>
    await Deno.readTextFile(`${environment.path}/out/r1_artifacts/${name}`);
  assertEquals([await kept("x.txt"), await kept("x.2.txt")], ["1\n", "2\n"], stderr);
  const warnings = events.flatMap((event) =>
    event.type === "warning" ? [event.metadata.warning] : []
  );
  assertEquals(warnings, ['Artifact "x.txt": there is one already, kept as "x.2.txt"']);
});

Deno.test("save_artifacts: false keeps submissions from the host", async () => {
  await using environment = await answerTask(["echo 42 > answer.txt"]);
  const config = { run_id: "r1", task_id: "probe", model: "fake/scripted", save_artifacts: false };
  await environment.write("/run_config.json", JSON.stringify(config));
  const args = ["run", "--config", "run_config.json", "--fake-model"];
  const said = await karotte(args, { cwd: environment.path });
  const verdict = verdictOf({ ...said, events: await readEvents(environment.path) });
  assertEquals(verdict.score, 1);
  assertEquals(await exists(`${environment.path}/out/r1_artifacts`), false);
});

Deno.test("no answer is left to the judge", async () => {
  await using environment = await answerTask(["true"]);
  const verdict = verdictOf(await environment.run());
  assertEquals([verdict.score, verdict.metadata.misbehavior], [0, undefined]);
});

const TRICKS: Readonly<Record<string, readonly [string, RegExp]>> = {
  "a link to root's answer": [
    "ln -s /root_data/expected.txt answer.txt",
    /^Submission "\/workdir\/answer.txt": a link is in its path$/,
  ],
  "a link to a link": [
    "ln -s /root_data d; ln -s d/expected.txt answer.txt",
    /a link is in its path/,
  ],
  "a FIFO": ["mkfifo answer.txt", /it is a FIFO/],
  "a huge sparse file": ["truncate -s 10G answer.txt", /more than 268435456 bytes/],
  "a file of its own that it can't read": [
    "echo 42 > answer.txt; chmod 0 answer.txt",
    /can't be read by the student/,
  ],
};

for (const [name, [command, reason]] of Object.entries(TRICKS)) {
  Deno.test(`${name} scores 0 as misbehaviour`, async () => {
    await using environment = await answerTask([command]);
    const result = await environment.run();
    const verdict = verdictOf(result);
    assertEquals([result.code, verdict.score], [0, 0], result.stderr);
    assertMatch(String(verdict.metadata.misbehavior), reason);
    assertEquals(await exists(`${environment.path}/out/r1_artifacts`), false);
  });
}

Deno.test("where its processes are kept, the link to root's answer pays without the guard only", async () => {
  const [trick] = TRICKS["a link to root's answer"]!;
  await using environment = await answerTask([trick], "keepProcesses: true,");
  const guarded = verdictOf(await environment.run());
  assertEquals([guarded.score, typeof guarded.metadata.misbehavior], [0, "string"]);
  await Deno.remove(`${environment.path}/out`, { recursive: true });
  const unguarded = await environment.run({ KAROTTE_TEST_WITHOUT: "submission" });
  assertEquals(verdictOf(unguarded).score, 1);
});

Deno.test("an answer is collected although the student has filled the memory's file system", async () => {
  await using environment = await answerTask([
    "echo 42 > answer.txt; head -c 200M /dev/zero > /dev/shm/full; ls -l /dev/shm",
  ]);
  const result = await environment.run();
  assertStringIncludes(JSON.stringify(bashResults(result.events)), "No space left");
  assertEquals(verdictOf(result).score, 1);
});

Deno.test("hooks and judges have the copies, take more of them and delete the student's files", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(
      "mkdir -p out/deep; echo a > out/a; echo b > out/deep/b; echo x > extra; ln -s extra link; " +
        "echo t > /tmp/t; echo s > /dev/shm/s",
    ),
    "tasks/probe.ts": probeTask("new Look()", {
      before: `
      const found = {};
      class Look extends Judge {
        async evaluate(_transcript, context) {
          const folder = context.submission("/workdir/out");
          found.a = await Deno.readTextFile(folder + "/a");
          found.b = await Deno.readTextFile(context.submission("/workdir/out/deep/b"));
          found.none = String(context.submission("/workdir/none"));
          try { context.submission("/workdir/extra"); } catch (error) { found.unknown = error.message; }
          found.left = Array.from(Deno.readDirSync("/workdir"), ({ name }) => name).sort().join();
          return scoring(1, found);
        }
      }`,
      step: `submissionPaths: ["/workdir/out", "/workdir/out/deep/b", "/workdir/none"],
      async preScoringHook(context) {
        found.extra = await Deno.readTextFile(await context.saveSubmission("/workdir/extra"));
        found.nothing = String(await context.saveSubmission("/workdir/nothing"));
        await context.saveSubmission("/workdir/link").catch((error) => found.link = error.message);
        const folders = ["/workdir", "/tmp", "/var/tmp", "/dev/shm"];
        found.deleted = String(await context.deleteFiles(folders, { except: ["/workdir/extra"] }));
      }`,
    }),
  });
  const { metadata } = verdictOf(await environment.run());
  const { deleted, left, ...found } = metadata;
  assertEquals(found, {
    a: "a\n",
    b: "b\n",
    none: "undefined",
    unknown: 'Submission "/workdir/extra" is not in the step\'s submissionPaths: ' +
      "/workdir/none, /workdir/out, /workdir/out/deep/b",
    extra: "x\n",
    nothing: "undefined",
    link: 'Submission "/workdir/link": a link is in its path',
  });
  assertEquals([left, deleted], ["data,extra,shared", "7"]);
});

Deno.test("the student works in its data folder as in one of its own, and can't move it", async () => {
  await using environment = await testEnvironment({
    "/student_data/given.txt": "given\n",
    "/student_data/sub/inner.txt": "inner\n",
    "fake_model.ts": bashScript(
      "stat -c '%U %G %a %n' data data/given.txt data/sub data/sub/inner.txt",
      "cd data; echo more >> given.txt; mv given.txt moved.txt; rm -r sub; mkdir new; echo x > new/x; " +
        "chmod 700 new; ln -s new/x link; cat moved.txt; ls; cd ..",
      "mv data gone; rmdir data; rm -rf data; ln -sfT /root_data data; mv -T new data; " +
        "chmod 777 data; chown student data; stat -c '%F %U' data",
      "cd data; git init -q . 2>&1 && git status --short --branch 2>&1; cd ..",
    ),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
  });
  const { events } = await environment.run();
  const [places, work, moves, git] = bashResults(events).map(({ stdout }) => stdout as string);
  assertEquals(
    places,
    "root student 775 data\nstudent student 644 data/given.txt\nstudent student 755 data/sub\n" +
      "student student 644 data/sub/inner.txt\n",
  );
  assertEquals(work, "given\nmore\nlink\nmoved.txt\nnew\n");
  assertStringIncludes(moves!, "directory root\n");
  assertEquals(git, "## No commits yet on master\n");
});

Deno.test("karotte check warns of code that uses the student's files as root", async () => {
  await using environment = await testEnvironment({
    "tasks/probe.ts": probeTask("new Careless()", {
      before: `class Careless extends Judge {
        override async evaluate() {
          return scoring(Number(await Deno.readTextFile("/workdir/answer.txt")));
        }
      }`,
    }),
  });
  const { code, stdout, stderr } = await karotte(["check"], { cwd: environment.path });
  assertEquals([code, stdout.trimEnd().split("\n").at(-1)], [0, "ok"]);
  assertMatch(
    stderr,
    /^warning: src\/environment\/tasks\/probe\.ts:6: Deno\.readTextFile\("\/workdir\/answer\.txt"\) .*submissionPaths/m,
  );
});

Deno.test("karotte check refuses a submission path that can be none", async () => {
  await using environment = await testEnvironment({
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()", { step: 'submissionPaths: ["out.txt"]' }),
  });
  const { code, stderr } = await karotte(["check"], { cwd: environment.path });
  assertEquals(code === 0, false);
  assertStringIncludes(stderr, 'Submission "out.txt": expected an absolute path');
});
