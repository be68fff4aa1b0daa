import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { ExecutableJudge, type ExecutableJudgeOptions } from "./executable_judge.ts";
import { verdictFolder } from "./verdict_folder.ts";
import { scriptFile } from "../../harness/script_file.ts";
import { fakeContext, fakeTranscript } from "../../../tests/support/fake_context.ts";
import { NOWHERE } from "../../../tests/support/nowhere.ts";

/** A shell program that finds the verdict's path in $1. */
function shell(
  program: string,
  options: Partial<ExecutableJudgeOptions> = {},
  signal?: AbortSignal,
) {
  const { continueThreshold, cwd, env } = options;
  const judge = new ExecutableJudge({
    argv: ["sh", "-c", program, "judge"],
    ...(continueThreshold === undefined ? {} : { continueThreshold }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  });
  return judge.evaluate(fakeTranscript(), fakeContext(signal ? { signal } : {}));
}

function writing(verdict: string): string {
  return `printf '%s' '${verdict}' > "$1"`;
}

Deno.test("ExecutableJudge reads the verdict and keeps what was printed", async () => {
  const program = `echo out; echo err >&2; ${
    writing('{"score": 0.5, "metadata": {"reason": "half", "count": 2, "ok": true, "list": [1]}}')
  }`;
  assertEquals(await shell(program), {
    score: 0.5,
    metadata: {
      reason: "half",
      count: "2",
      ok: "true",
      list: "[1]",
      stdout: "out\n",
      stderr: "err\n",
    },
    continue_task: true,
  });
});

Deno.test("ExecutableJudge lets the run go on from the threshold on", async () => {
  const program = writing('{"score": 0.5, "metadata": {}}');
  assertEquals((await shell(program, { continueThreshold: 0.5 })).continue_task, true);
  assertEquals((await shell(program, { continueThreshold: 0.6 })).continue_task, false);
});

Deno.test("ExecutableJudge hands a script its arguments, then the verdict's path", async () => {
  await using dir = await tempDir();
  const script = `${dir.path}/check.sh`;
  await Deno.writeTextFile(script, `printf '{"score": %s, "metadata": {}}' "$1" > "$2"`);
  const judge = new ExecutableJudge({ script, args: ["0.25"] });
  assertEquals((await judge.evaluate(fakeTranscript(), fakeContext())).score, 0.25);
});

Deno.test("ExecutableJudge's verdict lies where only its owner can look, and goes away", async () => {
  const program = `stat -c %a "$(dirname "$1")"; dirname "$1"; cat; ${
    writing('{"score": 1, "metadata": {}}')
  }`;
  const { metadata } = await shell(program);
  const [mode, directory, ...rest] = metadata.stdout?.split("\n") ?? [];
  assertEquals([mode, rest], ["700", [""]]);
  await assertRejects(() => Deno.stat(directory ?? "/"), Deno.errors.NotFound);
});

Deno.test("ExecutableJudge uses cwd and env", async () => {
  await using dir = await tempDir();
  const program = `pwd; echo "$SEED"; ${writing('{"score": 1, "metadata": {}}')}`;
  const { metadata } = await shell(program, { cwd: dir.path, env: { SEED: "7" } });
  assertEquals(metadata.stdout, `${await Deno.realPath(dir.path)}\n7\n`);
});

Deno.test("ExecutableJudge scores 0 when the program fails", async () => {
  const failed = await shell(`echo why >&2; ${writing('{"score": 1, "metadata": {}}')}; exit 3`);
  assertEquals(failed, {
    score: 0,
    metadata: { CalledProcessError: '"sh" exited with status 3', stdout: "", stderr: "why\n" },
    continue_task: false,
  });
  const killed = await shell("kill -9 $$");
  assertEquals(killed.metadata.CalledProcessError, '"sh" was ended by SIGKILL');
});

/** The verdict of a program of the sandbox. */
function judged(argv: readonly string[], options: { cwd?: string; env?: Record<string, string> }) {
  return new ExecutableJudge({ argv, ...options }).evaluate(fakeTranscript(), fakeContext());
}

Deno.test("faults 2.2: a program or folder that is missing is an error", async () => {
  await assertRejects(() => judged([NOWHERE], {}), KarotteError, "program not found");
  await assertRejects(() => judged(["no-such-program"], {}), KarotteError, "program not found");
  await assertRejects(() => judged(["true"], { cwd: NOWHERE }), KarotteError, "no such directory");
  const script = new ExecutableJudge({ script: "scoring/nosuch.ts" });
  const context = fakeContext();
  context.scriptCommand = (name) => [scriptFile(NOWHERE, name)];
  await assertRejects(
    async () => await script.evaluate(fakeTranscript(), context),
    Error,
    'Script "scoring/nosuch.ts": there is no such file in src/environment',
  );
});

Deno.test("faults 2.2: where the student may have removed it, the step scores 0", async () => {
  await using dir = await tempDir();
  const { path } = dir;
  await Deno.chmod(path, 0o755);
  await Deno.mkdir(`${path}/open`);
  await Deno.chmod(`${path}/open`, 0o777);
  await Deno.mkdir(`${path}/open/check`); // no program any more
  await Deno.writeTextFile(`${path}/script`, `#!${path}/open/venv/python -I\n`, { mode: 0o755 });
  await Deno.symlink("open/tool", `${path}/link`);
  const program = `${path}/open/check.sh`;
  const cases: [readonly string[], { cwd?: string; env?: Record<string, string> }, string][] = [
    [[program], {}, "FileNotFoundError"],
    [["./check.sh"], { cwd: `${path}/open` }, "FileNotFoundError"],
    [["true"], { cwd: `${path}/open/gone` }, "FileNotFoundError"],
    [["tool"], { env: { PATH: `/usr/bin:${path}/open` } }, "FileNotFoundError"],
    [[`${path}/script`], {}, "FileNotFoundError"],
    [[`${path}/link`], {}, "FileNotFoundError"],
    [[`${path}/open/check`], {}, "OSError"],
  ];
  for (const [argv, options, name] of cases) {
    const { score, continue_task, metadata } = await judged(argv, options);
    assertEquals([score, continue_task], [0, false], `${argv}`);
    assertEquals(Object.keys(metadata), [name, "misbehavior"], `${argv}`);
    assertStringIncludes(metadata.misbehavior ?? "", `may have changed "${path}/open`);
  }
});

Deno.test("faults 2.2: a verdict lies below /run, and an error says that there is no room", async () => {
  const { metadata } = await shell(`echo "$1"; ${writing('{"score": 1, "metadata": {}}')}`);
  assertMatch(metadata.stdout ?? "", /^\/run\/karotte-verdict-\w+\/verdict\.json\n$/);
  await assertRejects(() => verdictFolder(NOWHERE), KarotteError, "Cannot write a verdict in");
  // What has no room fails like this; root can't be refused by a mode.
  await assertRejects(
    () => shell('rm -r "$(dirname "$1")"'),
    KarotteError,
    "Cannot write a verdict",
  );
});

Deno.test("ExecutableJudge scores 0 without a readable verdict", async () => {
  const programs = {
    "true": "No such file",
    [writing("score: 1")]: "JSON",
    [writing('{"score": 1}')]: '"metadata" is missing',
    [writing('{"metadata": {}}')]: '"score" is missing',
    [writing("[1]")]: "expected an object",
    [`printf '{"score": 1, "metadata": {"a": "\\351"}}' > "$1"`]: "not UTF-8 text",
    ['ln -s /etc/hostname "$1"']: "not a regular file",
    ['mkfifo "$1"']: "not a regular file",
    ['head -c 5000000 /dev/zero > "$1"']: "larger than",
  };
  for (const [program, problem] of Object.entries(programs)) {
    const verdict = await shell(program);
    assertEquals([verdict.score, verdict.continue_task], [0, false]);
    assertStringIncludes(verdict.metadata.json_read_error ?? "", problem, program);
  }
});

Deno.test("ExecutableJudge throws for a score that is not a finite number", async () => {
  for (const score of ["NaN", "-Infinity", "1e309", "true", '"1.0"', "null", "[1]"]) {
    await assertRejects(
      () => shell(writing(`{"score": ${score}, "metadata": {}}`)),
      TypeError,
      "not a finite number",
    );
  }
});

Deno.test("ExecutableJudge throws for metadata that is not an object", async () => {
  const program = writing('{"score": 1, "metadata": "text"}');
  await assertRejects(() => shell(program), TypeError, "metadata");
});

Deno.test("ExecutableJudge keeps the end of a long output", async () => {
  const program = `printf start; head -c 70000 /dev/zero | tr '\\0' x; printf end; ${
    writing('{"score": 1, "metadata": {}}')
  }`;
  assertEquals(
    (await shell(program)).metadata.stdout,
    `[${70_008 - 65_536} bytes before this are left out]\n${"x".repeat(65_536 - 3)}end`,
  );
});

Deno.test("ExecutableJudge kills what the program leaves running", async () => {
  const program = `sleep 600 & echo $!; ${writing('{"score": 1, "metadata": {}}')}`;
  const pid = Number((await shell(program)).metadata.stdout);
  assertEquals(await isRunning(pid), false);
});

Deno.test("ExecutableJudge ends with the run, its children too", async () => {
  await using dir = await tempDir();
  const controller = new AbortController();
  const pidFile = `${dir.path}/pid`;
  const program = `sleep 600 & echo $! > "${pidFile}.new"; mv "${pidFile}.new" "${pidFile}"; wait`;
  const judging = shell(program, {}, controller.signal);
  const pid = Number(await contentOf(pidFile));
  controller.abort(new Error("the run is over"));
  await assertRejects(() => judging, Error, "the run is over");
  assertEquals(await isRunning(pid), false);
});

Deno.test("ExecutableJudge needs exactly one of script and argv", () => {
  const make = (options: unknown) => () => new ExecutableJudge(options as ExecutableJudgeOptions);
  assertThrows(make({}), TypeError, "either script or argv");
  assertThrows(make({ script: "a", argv: ["b"] }), TypeError, "either script or argv");
  assertThrows(make({ argv: [] }), TypeError, "needs a program");
});

async function contentOf(path: string): Promise<string> {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      return await Deno.readTextFile(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`${path} did not appear`);
}

/** Waits for a killed process to be gone; a zombie is. */
async function isRunning(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      if (/^State:\s*Z/m.test(await Deno.readTextFile(`/proc/${pid}/status`))) return false;
    } catch {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
