import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { run } from "../../base/process.ts";
import { StudentFileError } from "../../sdk/student.ts";
import { listProcessesOfUser } from "../../base/process_table.ts";
import { createStudent } from "./student.ts";
import { StudentFiles } from "./student_files.ts";
import { tempStudent } from "../../../tests/support/temp_student.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function reasonOf(action: Promise<unknown>): Promise<string> {
  return (await assertRejects(() => action, StudentFileError)).reason;
}

Deno.test("createStudent() refuses root", () => {
  for (const ids of [{ uid: 0, gid: 1 }, { uid: 1, gid: 0 }, { uid: 2 ** 32 - 1, gid: 1 }]) {
    assertThrows(() => createStudent({ ...ids, home: "/", variables: {} }), RangeError);
  }
});

Deno.test("run() gives up every right, for good, and shows only the given variables", async () => {
  await using at = await tempStudent();
  const { uid, home } = at.student;
  const status = text((await at.student.run(["cat", "/proc/self/status"])).stdout);
  assertMatch(status, new RegExp(`^Uid:(\\s${uid}){4}$`, "m"));
  assertMatch(status, new RegExp(`^Gid:(\\s${uid}){4}$`, "m"));
  assertMatch(status, /^Groups:\s*$/m);
  assertMatch(status, /^NoNewPrivs:\s1$/m);
  for (const set of ["Inh", "Prm", "Eff", "Bnd", "Amb"]) {
    assertMatch(status, new RegExp(`^Cap${set}:\\s0{16}$`, "m"));
  }
  const env = text((await at.student.run(["/usr/bin/env"], { env: { A: "b" } })).stdout);
  const names = env.trim().split("\n").map((line) => line.split("=")[0]).sort();
  assertEquals(names, ["A", "HOME", "LOGNAME", "PATH", "PWD", "SHLVL", "USER"]);
  assert(env.includes(`HOME=${home}\n`));
});

Deno.test("no program of root sees the student's variables", async () => {
  await using at = await tempStudent();
  const folder = `${at.student.home}/loader`;
  await Deno.mkdir(folder);
  await Deno.chmod(folder, 0o777);
  // Makes the dynamic loader of every program write a file.
  const env = { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: `${folder}/trace` };
  assertEquals((await at.student.run(["true"], { env })).code, 0);
  const owners = [...Deno.readDirSync(folder)].map(({ name }) =>
    Deno.statSync(`${folder}/${name}`).uid
  );
  assert(owners.length > 0);
  assertEquals(owners.filter((owner) => owner !== at.student.uid), []);
});

Deno.test("run() starts in home or in cwd, hands stdin over, and returns the exit code", async () => {
  await using at = await tempStudent();
  assertEquals(text((await at.student.run(["pwd"])).stdout), `${at.student.home}\n`);
  assertEquals(text((await at.student.run(["pwd"], { cwd: "/usr" })).stdout), "/usr\n");
  assertEquals(text((await at.student.run(["cat"], { stdin: "x" })).stdout), "x");
  assertEquals((await at.student.run(["sh", "-c", "exit 7"])).code, 7);
  assertEquals((await at.student.run(["no-such-program"])).code, 127);
});

Deno.test("run() lets a program open /dev/stdout by name, and goes first when memory runs out", async () => {
  await using at = await tempStudent();
  const script = "cat /proc/self/oom_score_adj >/dev/stdout; echo e >/dev/stderr";
  const { stdout, stderr } = await at.student.run(["sh", "-c", script]);
  assertEquals([text(stdout), text(stderr)], ["1000\n", "e\n"]);
});

Deno.test("run() does not enter a folder of root through a link", async () => {
  await using at = await tempStudent();
  await Deno.mkdir(`${at.path}/private`, { mode: 0o700 });
  await Deno.symlink(`${at.path}/private`, `${at.student.home}/link`);
  const { code, stdout } = await at.student.run(["ls"], { cwd: `${at.student.home}/link` });
  assertEquals([code, stdout.length], [1, 0]);
});

Deno.test("run() kills the whole session and its descendants when the time is over", async () => {
  await using at = await tempStudent();
  const script = 'setsid sleep 1000 & (trap "" TERM; sleep 1000; sleep 1000) & sleep 1000';
  const { timedOut, code } = await at.student.run(["bash", "-mc", script], { timeoutMs: 300 });
  assertEquals([timedOut, code], [true, 137]);
  assertEquals(listProcessesOfUser(at.student.uid), []);
});

Deno.test("run() throws the signal's reason and leaves no process", async () => {
  await using at = await tempStudent();
  const abort = new AbortController();
  const running = at.student.run(["sh", "-c", "sleep 1000; true"], { signal: abort.signal });
  setTimeout(() => abort.abort(new Error("enough")), 100);
  await assertRejects(() => running, Error, "enough");
  assertEquals(listProcessesOfUser(at.student.uid), []);
});

Deno.test("files are read and written as the student while the main thread stays root", async () => {
  await using at = await tempStudent();
  const { student } = at;
  await student.writeFile(`${student.home}/new`, "content");
  assertEquals(text(await student.readFile(`${student.home}/new`)), "content");
  const { uid, gid, mode } = await Deno.stat(`${student.home}/new`);
  assertEquals([uid, gid], [student.uid, student.gid]);
  assertEquals(mode! & 0o777, 0o644 & ~Deno.umask());
  await student.writeFile(`${student.home}/new`, "c");
  assertEquals(await Deno.readTextFile(`${student.home}/new`), "c");
  for (const status of ["/proc/self/status", "/proc/thread-self/status"]) {
    assertMatch(await Deno.readTextFile(status), /^Uid:(\s0){4}$/m);
  }
});

Deno.test("without the student's identity nothing is read", async () => {
  // The kernel takes this id for "leave it as it is", so the thread would stay root.
  using files = new StudentFiles({ uid: 2 ** 32 - 1, gid: 1000 });
  const read = () => files.read("/etc/passwd", { offset: 0, maxBytes: 1 });
  await assertRejects(read, KarotteError, "Cannot act with the student's rights");
});

Deno.test("an endless time-out is not a short one", async () => {
  await using at = await tempStudent();
  assertEquals((await at.student.run(["true"], { timeoutMs: Infinity })).timedOut, false);
});

Deno.test("a file of root is refused, directly, below a 0700 folder, and through links", async () => {
  await using at = await tempStudent();
  const { home } = at.student;
  await Deno.writeTextFile(`${at.path}/secret`, "s", { mode: 0o700 });
  await Deno.mkdir(`${at.path}/private`, { mode: 0o700 });
  await Deno.writeTextFile(`${at.path}/private/open`, "s", { mode: 0o644 });
  await Deno.symlink(`${at.path}/secret`, `${home}/link`);
  await Deno.symlink(`${at.path}/private`, `${home}/folder`);
  for (const path of [`${at.path}/secret`, `${home}/link`, `${home}/folder/open`]) {
    assertEquals(await reasonOf(at.student.readFile(path)), "permission_denied");
    assertEquals(await reasonOf(at.student.writeFile(path, "x")), "permission_denied");
  }
  assertEquals(await Deno.readTextFile(`${at.path}/secret`), "s");
});

Deno.test("what the harness has open can't be reached through links of /proc", async () => {
  await using at = await tempStudent();
  await Deno.mkdir(`${at.path}/private`, { mode: 0o700 });
  await Deno.writeTextFile(`${at.path}/private/open`, "secret", { mode: 0o666 });
  using file = await Deno.open(`${at.path}/private/open`, { read: true, write: true });
  assert(file);
  await Deno.symlink("/proc/self", `${at.student.home}/self`);
  for (const { name } of [...Deno.readDirSync("/proc/self/fd")]) {
    for (const path of [`/proc/self/fd/${name}`, `${at.student.home}/self/fd/${name}`]) {
      await assertRejects(() => at.student.readFile(path), StudentFileError);
      await assertRejects(() => at.student.writeFile(path, "x"), StudentFileError);
    }
  }
  const own = ["self/environ", "self/maps", "self/status", "thread-self/environ", "self/cwd/x"];
  for (const path of [...own, `${Deno.pid}/mem`, "self/root/etc/passwd"]) {
    await assertRejects(() => at.student.readFile(`/proc/${path}`), StudentFileError);
  }
});

Deno.test("FIFOs, sockets, devices and folders are refused at once", async () => {
  await using at = await tempStudent();
  const { home } = at.student;
  await run(["mkfifo", "-m", "666", `${home}/fifo`]);
  using listener = Deno.listen({ transport: "unix", path: `${home}/socket` });
  assert(listener);
  await Deno.chmod(`${home}/socket`, 0o666);
  await Deno.symlink("fifo", `${home}/link`);
  for (const path of [`${home}/fifo`, `${home}/socket`, `${home}/link`, home, "/dev/null"]) {
    assertEquals(await reasonOf(at.student.readFile(path)), "not_a_regular_file", path);
    assertEquals(await reasonOf(at.student.writeFile(path, "x")), "not_a_regular_file", path);
  }
});

Deno.test("a file that turns into a FIFO again and again never hangs a read", async () => {
  await using at = await tempStudent();
  const { student } = at;
  const swap = "while :; do rm -f f; mkfifo f; rm -f f; echo ok >f; done";
  const swapping = student.run(["bash", "-c", swap], { timeoutMs: 5000 });
  const seen = new Set<string>();
  for (let round = 0; round < 2000; round++) {
    try {
      seen.add(text(await student.readFile(`${student.home}/f`)));
    } catch (error) {
      if (!(error instanceof StudentFileError)) throw error;
      seen.add(error.reason);
    }
  }
  await student.killAll();
  await swapping;
  const possible = ["", "ok\n", "not_found", "not_a_regular_file"];
  assertEquals([...seen].filter((result) => !possible.includes(result)), []);
});

Deno.test("readFile() tells what it refuses", async () => {
  await using at = await tempStudent();
  const { student } = at;
  const { home } = student;
  await Deno.writeFile(`${home}/ten`, new Uint8Array(10));
  assertEquals((await student.readFile(`${home}/ten`, { maxBytes: 10 })).length, 10);
  assertEquals(await reasonOf(student.readFile(`${home}/ten`, { maxBytes: 9 })), "too_large");
  assertEquals(await reasonOf(student.readFile(`${home}/none`)), "not_found");
  assertEquals(await reasonOf(student.readFile(`${home}/ten/x`)), "not_found");
  assertEquals(await reasonOf(student.readFile("relative")), "other");
  assertEquals(await reasonOf(student.readFile("/etc/passwd\0.txt")), "other");
  await Deno.symlink("loop", `${home}/loop`);
  assertEquals(await reasonOf(student.readFile(`${home}/loop`)), "other");
  await run(["truncate", "-s", "100G", `${home}/sparse`]);
  assertEquals(await reasonOf(student.readFile(`${home}/sparse`)), "too_large");
});

Deno.test("large files go both ways whole", async () => {
  await using at = await tempStudent();
  const content = crypto.getRandomValues(new Uint8Array(65536));
  const large = new Uint8Array(100 * content.length);
  for (let part = 0; part < 100; part++) large.set(content, part * content.length);
  await at.student.writeFile(`${at.student.home}/large`, large);
  const read = await at.student.readFile(`${at.student.home}/large`);
  assertEquals(read.length, large.length);
  assert(read.every((byte, index) => byte === large[index]));
});

Deno.test("files.kill() signals the student's processes and no other", async () => {
  await using at = await tempStudent();
  const running = at.student.run(["sleep", "1000"]);
  let otherPid = 0;
  const other = run(["sleep", "1000"], { onSpawn: ({ pid }) => otherPid = pid });
  let own: number[] = [];
  while (own.length === 0) {
    own = listProcessesOfUser(at.student.uid);
    await at.student.files.kill([otherPid, ...own], 9);
  }
  assertEquals((await running).code, 137);
  Deno.kill(otherPid, "SIGTERM");
  assertEquals((await other).signal, "SIGTERM");
});

Deno.test("killAll() ends daemons, stopped processes and chains that fork and exit", async () => {
  await using at = await tempStudent();
  const { student } = at;
  const chain = "c() { [ $1 -gt 5000 ] || { c $(($1+1)) & }; }; c 0; sleep 0.1";
  const script =
    `trap "" TERM; setsid sleep 1000 & sleep 1000 & kill -STOP $!; ${chain}; sleep 1000`;
  const running = student.run(["bash", "-c", script]);
  for (let look = 0; look < 500 && listProcessesOfUser(student.uid).length < 3; look++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await student.killAll();
  assertEquals(listProcessesOfUser(student.uid), []);
  assertEquals((await running).code, 137);
  assertMatch(await Deno.readTextFile("/proc/self/status"), /^Uid:(\s0){4}$/m);
});

Deno.test("killAll() does not miss a program that is just being started", async () => {
  await using at = await tempStudent();
  for (let round = 0; round < 20; round++) {
    const running = at.student.run(["sleep", "1000"]);
    await new Promise((resolve) => setTimeout(resolve, round % 5));
    await at.student.killAll();
    assertEquals(listProcessesOfUser(at.student.uid), []);
    assertEquals((await running).code, 137);
  }
});
