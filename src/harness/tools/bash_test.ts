import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { listProcessesOfUser } from "../../base/process_table.ts";
import { type TempTools, tempTools } from "../../../tests/support/temp_tools.ts";

const RESTARTED = "The shell had ended and was restarted automatically.";
/** Prints the student's sleeping programs that are not zombies. */
const SLEEPING = "pgrep -u $UID -a sleep | grep -v defunct | cut -d' ' -f2-";
const STUCK = "The shell was restarted automatically.";

/** The session goes on, and is still the same one. */
async function assertSameSession(tools: TempTools): Promise<void> {
  assertEquals(await tools.bash("echo $mark"), { stdout: "same\n", exit_code: 0 });
}

async function withMark(): Promise<TempTools> {
  const tools = await tempTools();
  await tools.bash("mark=same");
  return tools;
}

Deno.test("bash keeps variables, functions and the folder from call to call", async () => {
  await using tools = await tempTools();
  assertEquals(await tools.bash("pwd"), { stdout: `${tools.student.home}\n`, exit_code: 0 });
  assertEquals(await tools.bash("x=5; f() { echo f$x; }; cd /usr; false"), {
    stdout: "",
    exit_code: 1,
  });
  assertEquals(await tools.bash("f; pwd"), { stdout: "f5\n/usr\n", exit_code: 0 });
});

Deno.test("bash returns stdout and stderr apart, without a final newline of its own", async () => {
  await using tools = await tempTools();
  assertEquals(await tools.bash("printf out; printf err >&2"), {
    stdout: "out",
    stderr: "err",
    exit_code: 0,
  });
});

Deno.test("bash reports what bash can't parse, and goes on", async () => {
  await using tools = await withMark();
  for (const command of ["if", 'echo "a', "echo $(", "for x in; do", "}"]) {
    const { exit_code, stderr } = await tools.bash(command);
    assertEquals(exit_code, 2, command);
    assertMatch(stderr ?? "", /^bash: eval: line \d: (syntax error|unexpected EOF)/);
  }
  const { stdout } = await tools.bash("cat <<END\nno end");
  assertEquals(stdout, "no end\n");
  await assertSameSession(tools);
});

Deno.test("bash counts the lines of a command from 1", async () => {
  await using tools = await tempTools();
  const { stderr } = await tools.bash("true\nno-such-program");
  assertEquals(stderr, "bash: line 2: no-such-program: command not found\n");
});

Deno.test("a command can't eat the next one and finds stdin empty", async () => {
  await using tools = await withMark();
  assertEquals(await tools.bash("cat; read x; echo $?"), { stdout: "1\n", exit_code: 0 });
  await tools.bash("cat <&3; cat <&230; read -u 230 y; exec 3<&0; exec 3<&-");
  await assertSameSession(tools);
});

Deno.test("redirecting and closing the shell's own streams loses no marker", async () => {
  await using tools = await withMark();
  for (
    const command of ["exec 2>&-", "exec 2>/dev/null", "exec 3>&-", "exec 231>&- 232>&- 230<&-"]
  ) {
    assertEquals((await tools.bash(command)).exit_code, 0, command);
  }
  await assertSameSession(tools);
  assertEquals(await tools.bash("exec >/dev/null; echo lost"), { stdout: "", exit_code: 0 });
  assertEquals(await tools.bash("exec 1>&-; true"), { stdout: "", exit_code: 0 });
  assertEquals((await tools.bash('[ "$mark" = same ]')).exit_code, 0);
});

Deno.test("a command's processes hold none of the shell's own descriptors", async () => {
  await using tools = await tempTools();
  const { stdout } = await tools.bash(
    "for fd in 230 231 232; do [ -e /proc/self/fd/$fd ]; echo $?; done",
  );
  assertEquals(stdout, "1\n1\n1\n");
});

Deno.test("bash lets a command open /dev/stdout and /dev/stderr by name", async () => {
  await using tools = await tempTools();
  assertEquals(await tools.bash("echo a >/dev/stdout; echo b >/dev/stderr"), {
    stdout: "a\n",
    stderr: "b\n",
    exit_code: 0,
  });
});

Deno.test("a forged marker is output", async () => {
  await using tools = await withMark();
  const nonce = "0123456789abcdef0123456789abcdef";
  const forged = `${nonce}=0;`;
  assertEquals((await tools.bash(`printf '${forged}'; false`)).stdout, forged);
  // Its own nonce hurts only the command that prints it.
  await tools.bash('printf "%s=7;" "$__karotte_nonce"; sleep 0.2');
  await tools.bash("true");
  await assertSameSession(tools);
});

Deno.test("invalid UTF-8, NUL and escape sequences come through", async () => {
  await using tools = await tempTools();
  assertEquals(await tools.bash("printf '\\357\\273\\277a\\0b\\033[31m\\377\\n'"), {
    stdout: "\ufeffa\0b\x1b[31m\ufffd\n",
    exit_code: 0,
  });
});

Deno.test("a NUL in a command, and no command at all, are refused", async () => {
  await using tools = await tempTools();
  await assertRejects(() => tools.bash("echo \0"), Error, "NUL");
  await assertRejects(() => tools.bash(""), Error, "Nothing to run");
});

Deno.test("long output is cut to its head, and no pair is split", async () => {
  await using tools = await tempTools();
  const config = { max_output_length: 5 };
  const head = await tools.bash("printf 123456; printf 12345 >&2", { config });
  assertEquals(head, {
    stdout: "12345...",
    stderr: "12345",
    system: "stdout was cut to 5 characters.",
    exit_code: 0,
  });
  assertEquals((await tools.bash("printf 'aaaa😀'", { config })).stdout, "aaaa...");
  assertEquals((await tools.bash("printf 'aaa😀'", { config })).stdout, "aaa😀");
  assertEquals((await tools.bash("printf '😀😀😀'", { config })).stdout, "😀😀...");
});

Deno.test("100 MB of output cost no memory and the session goes on", async () => {
  await using tools = await withMark();
  const { stdout, system, exit_code } = await tools.bash(
    "head -c 100000000 /dev/zero | tr '\\0' x",
  );
  assertEquals([stdout.length, exit_code], [16_003, 0]);
  assertEquals(system, "stdout was cut to 16000 characters.");
  const both = await tools.bash("seq 1 1000000; seq 1 1000000 >&2");
  assertEquals([both.stdout.length, both.stderr?.length], [16_003, 16_003]);
  await assertSameSession(tools);
});

Deno.test("a command of 200 KB runs", async () => {
  await using tools = await tempTools();
  const { stdout } = await tools.bash(`echo ${"x".repeat(200_000)} | wc -c`);
  assertEquals(stdout.trim(), "200001");
});

Deno.test("a background job does not hold a call up, and is heard in a later one", async () => {
  await using tools = await withMark();
  assertEquals((await tools.bash("sleep 1000 & mkfifo go; (read <go; echo late) &")).stdout, "");
  const { stdout } = await tools.bash("echo >go; wait %2; jobs");
  assertStringIncludes(stdout, "late\n");
  assertStringIncludes(stdout, "sleep 1000");
  await assertSameSession(tools);
});

Deno.test("`exit 3` is reported, and the next call says that the shell is new", async () => {
  await using tools = await withMark();
  assertEquals(await tools.bash("sleep 1000 & echo bye; exit 3"), {
    stdout: "bye\n",
    stderr: "The shell ended with exit code 3.",
    exit_code: 3,
  });
  assertEquals(await tools.bash("echo $mark"), { stdout: "\n", system: RESTARTED, exit_code: 0 });
  assertEquals(await tools.bash("echo x"), { stdout: "x\n", exit_code: 0 });
});

Deno.test("a shell that ended with all processes between two steps says so, once", async () => {
  await using tools = await tempTools();
  await tools.bash("x=1; sleep 1000 &");
  await tools.student.killAll();
  const { system, stdout } = await tools.bash("echo $x");
  assertMatch(String(system), /^All your processes were ended when the last step was scored/);
  assertEquals(stdout, "\n");
  assertEquals(await tools.bash("echo x"), { stdout: "x\n", exit_code: 0 });
  await tools.bash("exit 3");
  assertEquals(await tools.bash("echo x"), { stdout: "x\n", system: RESTARTED, exit_code: 0 });
});

Deno.test("a shell that is killed, now or between two calls, is replaced", async () => {
  await using tools = await tempTools();
  assertEquals((await tools.bash("kill -9 $$")).exit_code, 137);
  const { system, stdout } = await tools.bash("(sleep 0.1; kill -9 $$) & echo $$");
  assertEquals(system, RESTARTED);
  while (listProcessesOfUser(tools.student.uid).includes(Number(stdout))) {
    await tools.student.run(["true"]);
  }
  const next = await tools.bash("echo x");
  assertStringIncludes(`${next.system}${next.stderr}`, "The shell");
});

Deno.test("the time-out ends a command but no earlier job, and the session stays", async () => {
  await using tools = await withMark();
  await tools.bash("sleep 1001 &");
  const { stderr, exit_code, system } = await tools.bash(
    "sleep 1002 & (sleep 1003 &); sleep 1004",
    {
      timeout_s: 0.2,
    },
  );
  assertEquals([exit_code, system], [143, undefined]);
  assertStringIncludes(stderr ?? "", "The command was stopped after 0.2 seconds.");
  assertEquals(
    (await tools.bash(SLEEPING)).stdout,
    "sleep 1001\n",
  );
  await assertSameSession(tools);
});

Deno.test("the time-out ends a command that ignores SIGTERM", async () => {
  await using tools = await withMark();
  const script = "bash -c 'trap \"\" TERM; echo started; while :; do sleep 1000; done'";
  const { stdout, exit_code } = await tools.bash(script, { timeout_s: 0.3 });
  assertEquals([stdout, exit_code], ["started\n", 137]);
  await assertSameSession(tools);
});

Deno.test("a loop in the shell itself, and a stopped shell, end by a restart", async () => {
  for (const command of ["while :; do :; done", "kill -STOP $$", "exec sleep 1000"]) {
    await using tools = await withMark();
    await tools.bash("sleep 1001 &");
    const { stderr, system, exit_code } = await tools.bash(`echo a; ${command}`, {
      timeout_s: 0.2,
    });
    assertStringIncludes(stderr ?? "", "The command was stopped");
    assertEquals([system, exit_code], [STUCK, undefined], command);
    const { stdout } = await tools.bash(`echo $mark; ${SLEEPING}`);
    assertEquals(stdout, "\nsleep 1001\n");
  }
});

Deno.test("a command can ask for less time than is configured, not for more", async () => {
  await using tools = await tempTools();
  const config = { default_timeout_s: 0.2 };
  const { stderr } = await tools.bash("sleep 1000", { config, timeout_s: 60 });
  assertStringIncludes(stderr ?? "", "after 0.2 seconds");
});

Deno.test("a small fork bomb ends by the time-out", async () => {
  await using tools = await tempTools();
  // Bounded twice: by the limit of this test's own user, and by depth.
  const bomb =
    "ulimit -u 40; b() { [ $1 -gt 30 ] || { b $(($1+1)) & b $(($1+1)) & }; sleep 1000; }; b 0";
  await tools.bash(`bash -c '${bomb}'`, { timeout_s: 0.5 });
  await tools.call("bash", { restart: true });
  assertEquals(await tools.bash("echo alive"), { stdout: "alive\n", exit_code: 0 });
});

Deno.test("restart ends a running command at once, and everything in the session", async () => {
  await using tools = await withMark();
  await tools.bash("sleep 1000 &");
  const running = tools.bash("echo on; touch started; sleep 1000");
  await untilFile(`${tools.student.home}/started`);
  const restarted = await tools.call("bash", { restart: true, command: "echo never" });
  assertEquals(restarted, { stdout: "", system: "The shell was restarted." });
  assertEquals((await running).stdout, "on\n");
  assertEquals(listProcessesOfUser(tools.student.uid), []);
  assertEquals(await tools.bash("echo $mark"), { stdout: "\n", exit_code: 0 });
});

Deno.test("calls made at once run one after the other", async () => {
  await using tools = await tempTools();
  const calls = ["x=1; sleep 0.1", "x=$((x+1))", "echo $x"].map((command) => tools.bash(command));
  assertEquals((await Promise.all(calls)).at(-1), { stdout: "2\n", exit_code: 0 });
});

Deno.test("an aborted call throws the reason, and the next one gets a new shell", async () => {
  await using tools = await withMark();
  const abort = new AbortController();
  const running = tools.bash("touch started; sleep 1000", { signal: abort.signal });
  await untilFile(`${tools.student.home}/started`);
  abort.abort(new Error("over"));
  await assertRejects(() => running, Error, "over");
  assertEquals(listProcessesOfUser(tools.student.uid), []);
  assertEquals(await tools.bash("echo $mark"), { stdout: "\n", system: RESTARTED, exit_code: 0 });
});

Deno.test("a virtual environment is active if it is there", async () => {
  await using tools = await tempTools();
  const { home } = tools.student;
  const config = { python_venv: `${home}/.venv` };
  await Deno.mkdir(`${home}/.venv`);
  await Deno.writeTextFile(`${home}/.venv/pyvenv.cfg`, "");
  const { stdout } = await tools.bash('echo "$VIRTUAL_ENV $PATH"', { config });
  assertEquals(stdout, `${home}/.venv ${home}/.venv/bin:/usr/bin:/bin\n`);
});

Deno.test("disposing the tools ends the shell and its background jobs", async () => {
  const tools = await tempTools();
  await tools.bash("sleep 1000 & sleep 1000 &");
  assert(listProcessesOfUser(tools.student.uid).length >= 3);
  await tools[Symbol.asyncDispose]();
  assertEquals(listProcessesOfUser(tools.student.uid), []);
});

async function untilFile(path: string): Promise<void> {
  for (let look = 0; look < 1000; look++) {
    try {
      await Deno.stat(path);
      return;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  throw new Error(`${path} did not appear`);
}
