import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { openBelow } from "../../tests/support/open_below.ts";
import { tempStudent } from "../../tests/support/temp_student.ts";
import { ifThereSync, isReachableSync } from "../base/files.ts";
import { listProcessesOfUser } from "../base/process_table.ts";
import { run } from "../base/process.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import type { SubmissionLimits } from "../sdk/submission.ts";
import { Submissions } from "./submissions.ts";

/** A student that has run a script in its home, and what takes copies of what it left. */
async function afterScript(script: string) {
  const at = await tempStudent();
  const { student } = at;
  const { code, stderr } = await student.run(["bash", "-ec", script]);
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const submissions = new Submissions(`${at.path}/submissions`, student.files);
  return {
    ...at,
    submissions,
    collect: (name: string, limits?: SubmissionLimits) =>
      submissions.collect([`${student.home}/${name}`], limits),
    /** The copy's text; undefined: there is none. */
    text: (name: string) => {
      const copy = submissions.copyOf(`${student.home}/${name}`);
      return copy === undefined ? undefined : Deno.readTextFileSync(copy);
    },
    async [Symbol.asyncDispose]() {
      await submissions[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}

type Collecting = Awaited<ReturnType<typeof afterScript>>;

async function refused(at: Collecting, name: string, limits?: SubmissionLimits) {
  const error = await assertRejects(() => at.collect(name, limits), StudentMisbehaviorError);
  // Nothing of it is left, and no copy can be asked for.
  assertEquals(ifThereSync(() => [...Deno.readDirSync(`${at.path}/submissions`)]) ?? [], []);
  assertThrows(() => at.submissions.copyOf(`${at.student.home}/${name}`), TypeError);
  assertEquals(Deno.env.get("KAROTTE_SUBMISSION"), undefined);
  return error.message;
}

async function modes(folder: string): Promise<Record<string, string>> {
  const { stdout } = await run(["find", folder, "-printf", "%P %y %m %U\\n"]);
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => {
    const [name = "", ...rest] = line.split(" ");
    return [name, rest.join(" ")];
  }));
}

Deno.test("files and folders are copied to their whole paths, for root only", async () => {
  await using at = await afterScript(
    "umask 0; mkdir -p out/deep/.hidden; echo 1 > out/a; echo 2 > out/deep/.hidden/b; " +
      "chmod 6777 out/a; chmod 555 out/deep; echo hi > answer.txt",
  );
  const { home } = at.student;
  const collected = await at.submissions.collect([`${home}/out/`, `${home}//answer.txt`]);
  const folder = Deno.env.get("KAROTTE_SUBMISSION");
  assertEquals(
    collected,
    [`${home}/answer.txt`, `${home}/out`].map((path) => ({
      path,
      copy: folder + path,
    })),
  );
  assertEquals(at.text("answer.txt"), "hi\n");
  assertEquals(await modes(`${folder}${home}/out`), {
    "": "d 700 0",
    "a": "f 600 0",
    "deep": "d 700 0",
    "deep/.hidden": "d 700 0",
    "deep/.hidden/b": "f 600 0",
  });
  for (
    let path = `${folder}${home}`;
    path.length >= folder!.length;
    path = path.replace(/\/[^/]*$/, "")
  ) {
    assertEquals((Deno.lstatSync(path).mode! & 0o777).toString(8), "700", path);
  }
  assertEquals(await Deno.readTextFile(`${home}/out/a`), "1\n", "the original stays");
});

Deno.test("what the student left nowhere has no copy and is no misbehaviour", async () => {
  await using at = await afterScript("echo x > file; mkdir empty");
  const { home } = at.student;
  const paths = ["none", "no/folder/none", "file/below", "empty"].map((name) => `${home}/${name}`);
  const collected = await at.submissions.collect(paths);
  assertEquals(collected.map(({ path }) => path), [`${home}/empty`]);
  assertEquals(paths.slice(0, 3).map((path) => at.submissions.copyOf(path)), [
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals([...Deno.readDirSync(at.submissions.copyOf(`${home}/empty`)!)], []);
});

Deno.test("a submission within another one is copied once", async () => {
  await using at = await afterScript("mkdir -p out/sub; echo 1 > out/sub/a; echo 2 > other");
  const { home } = at.student;
  const paths = ["out/sub/a", "out", "out/sub", "out/none", "other/a", "other"];
  const collected = await at.submissions.collect(paths.map((name) => `${home}/${name}`));
  assertEquals(collected.map(({ path }) => path), [`${home}/other`, `${home}/out`]);
  assertEquals(at.text("out/sub/a"), "1\n");
  assertEquals(at.text("out/none"), undefined);
  assertEquals(at.text("other/a"), undefined);
});

Deno.test("copies are asked for by the paths of the step that was collected last", async () => {
  await using at = await afterScript("echo 1 > a; echo 2 > b");
  const { home } = at.student;
  assertThrows(() => at.submissions.copyOf(`${home}/a`), TypeError, "before the step is scored");
  await at.collect("a");
  const first = at.submissions.copyOf(`${home}/a/`)!;
  assertThrows(() => at.submissions.copyOf(`${home}/b`), TypeError, `submissionPaths: ${home}/a`);
  await at.student.run(["sh", "-c", "echo changed > a"]);
  await at.collect("a");
  assertEquals(at.text("a"), "changed\n");
  assert(!isReachableSync(first), "the copy of the step before is gone");
  await at.submissions.collect([]);
  assertEquals(Deno.env.get("KAROTTE_SUBMISSION"), undefined);
  assertThrows(() => at.submissions.copyOf(`${home}/a`), TypeError, "submissionPaths: none");
  for (const path of ["relative", "/", "/a/../b", "/./a", "/a\0"]) {
    await assertRejects(() => at.submissions.collect([path]), TypeError, "absolute path");
  }
});

Deno.test("a link is refused as the submission, on the way to it and in it", async () => {
  await using at = await afterScript(
    "mkdir real; echo x > real/file; ln -s real/file a; ln -s real b; ln -s /nowhere c; " +
      "mkdir d; ln -s ../real/file d/e; ln -s /proc/self/fd/0 f; ln -s g g",
  );
  await Deno.writeTextFile(`${at.path}/secret`, "s", { mode: 0o600 });
  await Deno.symlink(`${at.path}/secret`, `${at.student.home}/h`);
  const where = (name: string) => `Submission "${at.student.home}/${name}": `;
  for (const name of ["a", "b", "c", "f", "g", "h", "b/file"]) {
    assertEquals(await refused(at, name), `${where(name)}a link is in its path`);
  }
  assertEquals(await refused(at, "d"), `${where("d")}"e" is a link`);
  // A way that ends at a link to somewhere else still ends at a link.
  assertEquals(await refused(at, "c/file"), `${where("c/file")}a link is in its path`);
});

Deno.test("links in a folder can be left out; the folder itself must not be one", async () => {
  await using at = await afterScript("mkdir d; echo x > d/file; ln -s /etc/passwd d/a; ln -s d e");
  await at.collect("d", { links: "leave out" });
  const copy = at.submissions.copyOf(`${at.student.home}/d`)!;
  assertEquals([...Deno.readDirSync(copy)].map(({ name }) => name), ["file"]);
  await refused(at, "e", { links: "leave out" });
});

Deno.test("FIFOs, sockets, devices and files of /proc are refused at once", async () => {
  await using at = await afterScript("mkfifo fifo; mkdir d; mkfifo d/fifo");
  const { home } = at.student;
  using listener = Deno.listen({ transport: "unix", path: `${home}/socket` });
  assert(listener);
  await Deno.chmod(`${home}/socket`, 0o777);
  assert((await refused(at, "fifo")).endsWith('/fifo": it is a FIFO'));
  assert((await refused(at, "d")).endsWith('/d": "fifo" is a FIFO'));
  assert((await refused(at, "socket")).endsWith('/socket": it is a socket or a device'));
  for (const path of ["/dev/null", "/proc/self/environ", "/proc/self/status", "/proc/1/fd"]) {
    await assertRejects(() => at.submissions.collect([path]), StudentMisbehaviorError);
  }
});

Deno.test("what the student can't read is refused, and not read as root", async () => {
  await using at = await afterScript("echo x > locked; chmod 0 locked; mkdir -m 0 closed");
  await Deno.writeTextFile(`${at.student.home}/roots`, "s", { mode: 0o600 });
  for (const name of ["locked", "closed", "closed/x", "roots"]) {
    assert((await refused(at, name)).endsWith("it can't be read by the student"), name);
  }
});

Deno.test("sizes are bounded, and a huge sparse file is refused before it is read", async () => {
  await using at = await afterScript(
    "truncate -s 10G sparse; mkdir d; head -c 600 /dev/zero > d/a; head -c 600 /dev/zero > d/b",
  );
  const started = performance.now();
  assert((await refused(at, "sparse")).endsWith(`it has more than ${256 * 1024 ** 2} bytes`));
  assert(performance.now() - started < 5000);
  const message = await refused(at, "d", { maxTotalBytes: 1199 });
  assert(message.endsWith("it has more than 1199 bytes in all"), message);
  assert((await refused(at, "d", { maxFileBytes: 599 })).endsWith('"a" has more than 599 bytes'));
  await at.collect("d", { maxTotalBytes: 1200, maxFileBytes: 600 });
});

Deno.test("zeros become holes, and everything else arrives whole", async () => {
  await using at = await afterScript(
    "truncate -s 200M big; printf start | dd of=big conv=notrunc status=none; " +
      "printf middle | dd of=big bs=1 seek=100000001 conv=notrunc status=none; " +
      "head -c 3000001 /dev/urandom > random; : > nothing",
  );
  const { home } = at.student;
  const paths = ["big", "random", "nothing"].map((name) => `${home}/${name}`);
  await at.submissions.collect(paths);
  for (const path of paths) {
    assertEquals((await run(["cmp", path, at.submissions.copyOf(path)!])).code, 0, path);
  }
  const { size, blocks } = await Deno.stat(at.submissions.copyOf(paths[0]!)!);
  assertEquals(size, 200 * 1024 ** 2);
  assert(blocks! * 512 < 8 * 1024 ** 2, `${blocks} blocks`);
});

Deno.test("entries and depth are bounded", async () => {
  await using at = await afterScript(
    "mkdir -p many/a many/b; (cd many/a; seq 5000 | xargs touch); (cd many/b; seq 4998 | xargs touch); " +
      "p=deep; for i in $(seq 32); do p=$p/d; done; mkdir -p $p; touch $p/file; cp -r deep deeper; " +
      "mv deeper/d deeper/x; mkdir deeper/d; mv deeper/x deeper/d",
  );
  await at.collect("many");
  await at.student.run(["touch", "many/one_more"]);
  assert((await refused(at, "many")).endsWith("it has more than 10000 entries"));
  assert((await refused(at, "deeper")).endsWith("it has more than 32 folders in one another"));
  await at.collect("deep");
  await assertRejects(() => at.collect("deep", { maxDepth: 31 }), StudentMisbehaviorError);
});

Deno.test("names that are no UTF-8, and odd ones, are copied byte by byte", async () => {
  await using at = await afterScript(
    `mkdir odd; cd odd; touch -- $'\\xff\\xfe' $'new\\nline' '-rf' ' ' 'é' '..x' '*'; ` +
      `mkdir ../bad $'../bad/\\x80'; ln -s x $'../bad/\\x80/"'`,
  );
  await at.collect("odd");
  const list = async (folder: string) =>
    (await run(["find", folder, "-type", "f", "-printf", "%P\\0"])).stdout.toSorted();
  const copy = at.submissions.copyOf(`${at.student.home}/odd`)!;
  assertEquals(await list(copy), await list(`${at.student.home}/odd`));
  assert((await refused(at, "bad")).endsWith(`"\\x80/"" is a link`));
});

Deno.test("a path that is too long for the copy is the student's misbehaviour", async () => {
  const name = "n".repeat(250);
  await using at = await afterScript(
    `mkdir long; cd long; for i in $(seq 20); do mkdir ${name}; cd ${name}; done; echo x > f`,
  );
  assert((await refused(at, "long")).includes("ENAMETOOLONG"));
});

Deno.test("more than the disk has is the student's misbehaviour", async () => {
  await using at = await afterScript("head -c 6000000 /dev/urandom > big");
  const place = `${at.path}/submissions`;
  await Deno.mkdir(place);
  const mounted = await run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place]);
  assertEquals(mounted.code, 0, new TextDecoder().decode(mounted.stderr));
  try {
    assert((await refused(at, "big")).includes("ENOSPC"));
  } finally {
    assertEquals((await run(["umount", place])).code, 0);
  }
});

Deno.test("with a student that still works nothing is followed, nothing hangs, nothing is left open", async () => {
  await using at = await afterScript("mkdir d; echo ok > d/f; echo ok > f");
  await Deno.writeTextFile(`${at.path}/secret`, "secret", { mode: 0o600 });
  const swap = "while :; do rm -rf d f; mkfifo f; mkdir d; mkfifo d/f; rm -rf f d; " +
    `ln -s ${at.path}/secret f; ln -s ${at.path} d; rm -f f d; mkdir d; echo ok > d/f; echo ok > f; done`;
  const swapping = at.student.run(["bash", "-c", swap], { timeoutMs: 6000 });
  while (listProcessesOfUser(at.student.uid).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const seen = new Set<string | undefined>();
  const places = new Set([at.path]);
  for (let round = 0; round < 300; round++) {
    for (const name of ["f", "d/f", "d"]) {
      try {
        await at.collect(name);
        places.add(Deno.env.get("KAROTTE_SUBMISSION")!);
        if (name !== "d") seen.add(at.text(name));
      } catch (error) {
        if (!(error instanceof StudentMisbehaviorError)) throw error;
      }
    }
  }
  assertEquals([...seen].filter((text) => ![undefined, "", "ok\n"].includes(text)), []);
  assertEquals(await openBelow(places), []);
  await at.student.killAll();
  await swapping;
});

Deno.test("small submissions are copied to memory, large ones to disk", async () => {
  await using at = await afterScript(
    "mkdir small; (cd small; seq 1000 | xargs touch); head -c 5000000 /dev/urandom > large; " +
      "mkdir many; (cd many; seq 5000 | xargs touch)",
  );
  const { home } = at.student;
  const folderOf = async (...names: string[]) => {
    const paths = names.map((name) => `${home}/${name}`);
    await at.submissions.collect(paths);
    const copy = at.submissions.copyOf(paths[0]!)!;
    assertEquals((await run(["diff", "-r", paths[0]!, copy])).code, 0);
    return copy.slice(0, -paths[0]!.length);
  };
  const small = await folderOf("small");
  assert(small.startsWith("/dev/shm/karotte-"), small);
  assertEquals((await Deno.lstat(small)).mode! & 0o777, 0o700);
  for (const names of [["large"], ["small", "large"], ["many"]]) {
    const folder = await folderOf(...names);
    assert(folder.startsWith(`${at.path}/submissions/`), folder);
  }
  assert(!isReachableSync(small));
  await folderOf("small");
  const last = Deno.env.get("KAROTTE_SUBMISSION")!;
  await at.submissions[Symbol.asyncDispose]();
  assert(!isReachableSync(last));
});

Deno.test("save() copies at any time, and says if nothing is there", async () => {
  await using at = await afterScript("echo 1 > a; ln -s a b");
  const { home } = at.student;
  const first = await at.submissions.save(`${home}/a`);
  await at.student.run(["sh", "-c", "echo 2 > a"]);
  const second = await at.submissions.save(`${home}/a`);
  assertEquals([first, second].map((copy) => Deno.readTextFileSync(copy!)), ["1\n", "2\n"]);
  assertEquals(await at.submissions.save(`${home}/none`), undefined);
  await assertRejects(() => at.submissions.save(`${home}/b`), StudentMisbehaviorError);
  await assertRejects(() => at.submissions.save("b"), TypeError);
});
