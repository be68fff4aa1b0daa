import { assertEquals, assertRejects } from "@std/assert";
import { openBelow } from "../../tests/support/open_below.ts";
import { tempStudent } from "../../tests/support/temp_student.ts";
import { run } from "../base/process.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import { deleteFiles } from "./delete_files.ts";

async function listing(folder: string): Promise<string[]> {
  const { stdout } = await run(["find", folder, "-mindepth", "1", "-printf", "%P\\n"]);
  return new TextDecoder().decode(stdout).split("\n").filter(Boolean).sort();
}

Deno.test("deleteFiles() deletes what is the student's, and nothing else", async () => {
  await using at = await tempStudent();
  const { uid, home, ...student } = at.student;
  await Deno.mkdir(`${home}/roots/inner`, { recursive: true });
  await Deno.chmod(`${home}/roots/inner`, 0o777);
  await Deno.writeTextFile(`${home}/kept`, "");
  const script =
    "mkdir -p a/b a/.c; touch a/b/$'\\xff' a/.c/-rf roots/inner/mine; mkfifo a/fifo; " +
    "chmod 0 a/b; ln -s roots link; ln -s /etc/passwd a/passwd; touch kept_by_root";
  await student.run(["bash", "-ec", script]);
  await Deno.chown(`${home}/kept_by_root`, 0, 0);
  // Four files, two links and three folders.
  assertEquals(await deleteFiles([home], { uid }), 9);
  assertEquals(await listing(home), ["kept", "kept_by_root", "roots", "roots/inner"]);
  assertEquals(await deleteFiles([home], { uid }), 0);
});

Deno.test("deleteFiles() follows no link, and a folder that is not there is an empty one", async () => {
  await using at = await tempStudent();
  const { uid, home } = at.student;
  const outside = `${at.path}/outside`;
  await Deno.mkdir(outside);
  await Deno.writeTextFile(`${outside}/file`, "");
  await Deno.chown(`${outside}/file`, uid, uid);
  await Deno.symlink(outside, `${home}/link`);
  const folders = ["link", "link/inner", "none", "none/none"].map((name) => `${home}/${name}`);
  assertEquals(await deleteFiles(folders, { uid }), 0);
  await at.student.run(["sh", "-c", `ln -s ${outside} mine; mkfifo fifo`]);
  assertEquals(await deleteFiles([`${home}/fifo`, home], { uid }), 2);
  assertEquals(await listing(at.path), ["home", "home/link", "outside", "outside/file"]);
});

Deno.test("deleteFiles() leaves what is excepted, and what something is mounted on", async () => {
  await using at = await tempStudent();
  const { uid, home } = at.student;
  await at.student.run([
    "bash",
    "-ec",
    "mkdir -p a/b/c a/d mount; touch a/b/c/x a/b/y a/d/z e f mount/x",
  ]);
  const mounted = await run(["mount", "-t", "tmpfs", "tmpfs", `${home}/mount`]);
  assertEquals(mounted.code, 0);
  try {
    await Deno.writeTextFile(`${home}/mount/file`, "");
    await Deno.chown(`${home}/mount/file`, uid, uid);
    await Deno.chown(`${home}/mount`, uid, uid);
    const except = [`${home}/a/b/c`, `${home}/e`, "/elsewhere"];
    assertEquals(await deleteFiles([home], { uid, except }), 4);
    assertEquals(await listing(home), [
      ...["a", "a/b", "a/b/c", "a/b/c/x", "e", "mount", "mount/file"],
    ]);
    assertEquals(await deleteFiles([`${home}/e`, home], { uid, except: [at.path] }), 0);
    // A mount that is named is meant.
    assertEquals(await deleteFiles([`${home}/mount`], { uid }), 1);
  } finally {
    assertEquals((await run(["umount", `${home}/mount`])).code, 0);
  }
});

Deno.test("deleteFiles() copes with a tree deeper than paths and descriptors go", async () => {
  await using at = await tempStudent();
  const { uid, home } = at.student;
  const hundred = Array(100).fill("d".repeat(30)).join("/");
  const script = `for i in $(seq 30); do mkdir -p ${hundred}; cd ${hundred}; : > f; done`;
  assertEquals((await at.student.run(["bash", "-ec", script])).code, 0);
  assertEquals(await deleteFiles([home], { uid }), 3030);
  assertEquals(await listing(home), []);
});

Deno.test("deleteFiles() says what it could not delete, and when it took too long", async () => {
  await using at = await tempStudent();
  const { uid, home } = at.student;
  await at.student.run(["bash", "-c", "mkdir d; cd d; seq 2000 | xargs touch"]);
  await assertRejects(
    () => deleteFiles([home], { uid, timeoutMs: 0 }),
    StudentMisbehaviorError,
    "can't be deleted in time",
  );
  await assertRejects(() => deleteFiles(["relative"], { uid }), TypeError);
});

Deno.test("deleteFiles() leaves nothing open and follows nothing while the student moves folders", async () => {
  await using at = await tempStudent();
  const { uid, home } = at.student;
  const outside = `${at.path}/outside`;
  await Deno.mkdir(outside);
  await Deno.writeTextFile(`${outside}/file`, "");
  await Deno.chown(`${outside}/file`, uid, uid);
  const swap = "while :; do mkdir -p a/b c; touch a/b/f; mv a/b c/b; rm -rf a; " +
    `ln -s ${outside} a; rm -f a; rm -rf c; done`;
  const swapping = at.student.run(["bash", "-c", swap], { timeoutMs: 4000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let round = 0; round < 500; round++) {
    try {
      await deleteFiles([home], { uid });
    } catch (error) {
      if (!(error instanceof StudentMisbehaviorError)) throw error;
    }
  }
  assertEquals(await openBelow([at.path]), []);
  await at.student.killAll();
  await swapping;
  assertEquals(await listing(outside), ["file"]);
});

Deno.test("deleteFiles() passes over a folder that becomes a file with a lease", async () => {
  await using at = await tempStudent();
  const { uid, home } = at.student;
  const exchangeCall = Deno.build.arch === "x86_64" ? 316 : 276; // renameat2
  // Whoever opens a file with a lease is told to wait (EAGAIN).
  const swap = `use Fcntl; my ($a, $b) = ("a", "b"); $SIG{IO} = "IGNORE"; while (1) {
    mkdir "a"; open my $leased, ">", "b"; fcntl $leased, 1024, F_WRLCK;
    for (1 .. 1000) { syscall(${exchangeCall}, -100, $a, -100, $b, 2) and last }
  }`;
  const swapping = at.student.run(["perl", "-e", swap], { timeoutMs: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const end = performance.now() + 1500;
  while (performance.now() < end) await deleteFiles([home], { uid });
  assertEquals(await openBelow([at.path]), []);
  await at.student.killAll();
  await swapping;
});
