import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { ExecutableJudge, type ExecutableJudgeOptions } from "./executable_judge.ts";
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

Deno.test("ExecutableJudge scores 0 when the program fails or is missing", async () => {
  const failed = await shell(`echo why >&2; ${writing('{"score": 1, "metadata": {}}')}; exit 3`);
  assertEquals(failed, {
    score: 0,
    metadata: { CalledProcessError: '"sh" exited with status 3', stdout: "", stderr: "why\n" },
    continue_task: false,
  });
  const killed = await shell("kill -9 $$");
  assertEquals(killed.metadata.CalledProcessError, '"sh" was ended by SIGKILL');
  const missing = new ExecutableJudge({ argv: [NOWHERE] });
  const verdict = await missing.evaluate(fakeTranscript(), fakeContext());
  assertEquals([verdict.score, verdict.continue_task], [0, false]);
  assertStringIncludes(verdict.metadata.FileNotFoundError ?? "", "program not found");
  const nowhere = await shell("true", { cwd: NOWHERE });
  assertStringIncludes(nowhere.metadata.FileNotFoundError ?? "", "no such directory");
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
