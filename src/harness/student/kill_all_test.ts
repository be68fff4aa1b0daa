import { assert, assertEquals, assertRejects } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { tempStudent } from "../../../tests/support/temp_student.ts";
import { spawn } from "../../base/process.ts";
import { listProcessesOfUser } from "../../base/process_table.ts";
import { StudentMisbehaviorError } from "../../sdk/misbehavior.ts";
import { killAllProcesses } from "./kill_all.ts";

/** Programs that try to outlive a kill, within a limit of processes that spares the machine. */
const BOMBS = {
  "a fork bomb": "b() { b | b & b; }; b",
  "chains that fork and exit": `for i in 1 2 3 4 5; do
    perl -e '$SIG{CHLD} = "IGNORE"; while (1) { my $p = fork; exit if $p; }' & done; sleep 1000`,
  "stopped processes": "for i in $(seq 30); do sleep 1000 & kill -STOP $!; done; wait",
  "a ring that continues itself": `for i in $(seq 10); do
    perl -e '$SIG{TERM} = $SIG{HUP} = "IGNORE"; kill "CONT", -1 while 1' & done; wait`,
  "orphans in sessions of their own": `for i in $(seq 30); do
    setsid sh -c 'trap "" TERM HUP INT; (sleep 1000; sleep 1000) & sleep 1000' & done; wait`,
  "a full limit": "for i in $(seq 300); do sleep 1000 & done; wait",
};

for (const [name, script] of Object.entries(BOMBS)) {
  Deno.test(`killAll() ends ${name}`, async () => {
    await using at = await tempStudent();
    const { student } = at;
    const limited = `ulimit -Su 200; ${script}`;
    const running = student.run(["bash", "-c", limited], { maxOutputBytes: 1000 });
    await delay(700);
    assert(listProcessesOfUser(student.uid).length > 0);
    const start = performance.now();
    await student.killAll();
    const took = performance.now() - start;
    assertEquals(listProcessesOfUser(student.uid), []);
    assertEquals((await running).code, 137);
    assert(took < 10_000, `${took} ms`);
    await delay(100);
    assertEquals(listProcessesOfUser(student.uid), []);
  });
}

Deno.test("killAll() ends a process whose first thread has ended", async () => {
  await using at = await tempStudent();
  const { student } = at;
  // exit(2) of one thread, which is not the exit_group(2) of the C library's.
  const call = Deno.build.arch === "x86_64" ? 60 : 93;
  const script = `threads->create(sub { sleep 1000 }); syscall(${call}, 0)`;
  const running = student.run(["perl", "-Mthreads", "-e", script]);
  const isLeaderless = () =>
    listProcessesOfUser(student.uid).some((pid) =>
      /^State:\tZ/m.test(Deno.readTextFileSync(`/proc/${pid}/status`))
    );
  for (let look = 0; look < 500 && !isLeaderless(); look++) await delay(10);
  assert(isLeaderless());
  await student.killAll();
  assertEquals(listProcessesOfUser(student.uid), []);
  assertEquals((await running).code, 137);
});

Deno.test("killAllProcesses() says that the student misbehaves where something is always left", async () => {
  await using at = await tempStudent();
  const { uid } = at.student;
  // What a process that can't die looks like: there is one at each look.
  const ids = [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
  const script = 'while :; do setpriv "$@" sleep 1000; done';
  const argv = ["sh", "-c", script, "sh", ...ids];
  const child = spawn(argv, { cwd: "/" });
  try {
    const error = await assertRejects(
      () => killAllProcesses(uid, { started: new Set([child.pid]), deadlineMs: 500 }),
      StudentMisbehaviorError,
    );
    assert(error.message.startsWith("The student's processes could not be ended: "));
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
  }
});

Deno.test("killAll() is not held up by programs of root's that come and go", async () => {
  await using at = await tempStudent();
  const busy = spawn(["sh", "-c", "while :; do /bin/true; done"], { cwd: "/" });
  try {
    const start = performance.now();
    await at.student.killAll();
    assert(performance.now() - start < 5_000);
  } finally {
    busy.kill("SIGKILL");
    await busy.status;
    await Promise.all([busy.stdout.cancel(), busy.stderr.cancel()]);
  }
});

Deno.test("processes() names listeners first, and not the shells that the harness started", async () => {
  await using at = await tempStudent();
  const { student } = at;
  const shell = student.startSession(["bash", "-c", "read line"], {});
  const listen = "my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1'); " +
    "open(my $f, '>', 'port'); print $f $s->sockport; close $f; sleep 1000";
  const running = student.run([
    ...[
      "bash",
      "-c",
      `for i in $(seq 24); do sleep 1000 & done; perl -MIO::Socket -e "$0"`,
      listen,
    ],
  ]);
  const port = `${student.home}/port`;
  let text = "";
  for (let look = 0; look < 500 && text === ""; look++) {
    await delay(20);
    text = await Deno.readTextFile(port).catch(() => "");
  }
  const { count, processes, other_listening } = await student.processes();
  // The shells that the harness started are left out.
  assertEquals([count, processes.length, other_listening], [25, 20, []]);
  assertEquals([processes[0]?.name, processes[0]?.listening], ["perl", [`127.0.0.1:${text}`]]);
  assert(processes.every(({ age_seconds }) => age_seconds >= 0 && age_seconds < 60));
  assertEquals(student.killings, 0);
  await student.killAll();
  assertEquals(student.killings, 1);
  assertEquals((await student.processes()).count, 0);
  await Promise.all([running, shell.stdout.cancel(), shell.stderr.cancel(), shell.stdin!.abort()]);
});
