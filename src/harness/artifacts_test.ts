import { assertEquals, assertStringIncludes } from "@std/assert";
import { concat } from "../base/bounded_bytes.ts";
import { run } from "../base/process.ts";
import { tempDir } from "../base/temp_dir.ts";
import { closeOnExecFrom } from "../base/libc.ts";
import { ARTIFACT_LIMITS, MOST_EXTENTS } from "../protocol/artifact_limits.ts";
import type { SparseLayout } from "../protocol/rpc.ts";
import { Artifacts } from "./artifacts.ts";
import { EventLog } from "./event_log.ts";
import type { HostLink } from "../protocol/host_link.ts";
import { NOWHERE } from "../../tests/support/nowhere.ts";

// The C library stays open: it must not look like a leak of the first test that uses it.
closeOnExecFrom(1_000_000);

/** Saves paths below a folder; returns what reached the host and the warnings. */
async function save(paths: string[], limits = ARTIFACT_LIMITS, onFile = async () => {}) {
  const files: Record<string, number> = {};
  const warnings: string[] = [];
  const sparse: SparseLayout[] = [];
  const link: Partial<HostLink> = {
    activity: () => Promise.resolve(),
    async saveArtifactFile(file, content) {
      const bytes = concat(await Array.fromAsync(content));
      files[file.path.join("/") + (file.executable ? "*" : "")] = bytes.length;
      if (file.sparse !== undefined) sparse.push(file.sparse);
      await onFile();
    },
  };
  const events = new EventLog("r1", (event) => {
    if (event.type === "warning") warnings.push(event.metadata.warning);
    return Promise.resolve();
  });
  const artifacts = new Artifacts(link as HostLink, events, limits); // no more of it is used
  for (const path of paths) await artifacts.save(path);
  return { files, warnings, sparse };
}

Deno.test("a folder is kept with all its regular files", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/a/b`, { recursive: true });
  await Deno.writeTextFile(`${dir.path}/a/b/é #1`, "x".repeat(600_000));
  await Deno.writeTextFile(`${dir.path}/a/run`, "", { mode: 0o755 });
  const { files, warnings } = await save([`${dir.path}/a/`]);
  assertEquals(files, { "a/b/é #1": 600_000, "a/run*": 0 });
  assertEquals(warnings, []);
});

Deno.test("links and special files are listed and not read", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/a`);
  await Deno.symlink("/etc/shadow", `${dir.path}/a/link`);
  await run(["mkfifo", `${dir.path}/a/pipe`]);
  await Deno.writeTextFile(`${dir.path}/a/file`, "1");
  const { files, warnings } = await save([`${dir.path}/a`, `${dir.path}/a/link`]);
  assertEquals(files, { "a/file": 1 });
  assertStringIncludes(warnings[0]!, "a/link (link), a/pipe (special file)");
  assertStringIncludes(warnings[1]!, "not kept: link (link)");
});

Deno.test("what goes, or becomes something else, while a folder is kept costs a warning", async () => {
  await using dir = await tempDir();
  const { code } = await run(["bash", "-ec", "mkdir -p a/b a/c/d a/e a/h; touch a/{a,f,g} a/h/i"], {
    cwd: dir.path,
  });
  assertEquals(code, 0);
  const change =
    "rm -r b c e f; touch c; ln -s /etc e; mkdir f; touch f/x; rm g; mkfifo g; rm -r h";
  let changes = 0;
  const { files, warnings } = await save([`${dir.path}/a`], ARTIFACT_LIMITS, async () => {
    if (changes++ > 0) return;
    const changed = await run(["bash", "-ec", change], { cwd: `${dir.path}/a` });
    assertEquals(changed.code, 0);
  });
  assertEquals(files, { "a/a": 0, "a/c": 0, "a/f/x": 0 });
  assertEquals(warnings.length, 1);
  for (const left of ["a/b (", "a/e (link)", "a/g (special file)", "a/h ("]) {
    assertStringIncludes(warnings[0]!, left);
  }
});

Deno.test("a missing path, a relative one and one without a name are warnings", async () => {
  const { files, warnings } = await save([NOWHERE, "relative", "/", "/tmp/.."]);
  assertEquals([files, warnings.length], [{}, 4]);
});

Deno.test("ceilings end an artifact with a warning, not the run", async () => {
  await using dir = await tempDir();
  for (const name of ["1", "2", "3"]) {
    await Deno.writeTextFile(`${dir.path}/${name}`, "x".repeat(9));
  }
  const entries = await save([dir.path], { ...ARTIFACT_LIMITS, artifactEntries: 3 });
  assertEquals(Object.keys(entries.files).length, 2);
  assertStringIncludes(entries.warnings[0]!, "more than 3 entries");
  const bytes = await save([dir.path], { ...ARTIFACT_LIMITS, artifactBytes: 10 });
  assertStringIncludes(bytes.warnings[0]!, "more than 10 bytes");
  const all = await save([`${dir.path}/1`, `${dir.path}/2`], { ...ARTIFACT_LIMITS, runBytes: 10 });
  assertStringIncludes(all.warnings[0]!, "above 10 bytes");
});

Deno.test("faults 2.5: files whose names are no UTF-8 are kept, and their names are told", async () => {
  await using dir = await tempDir();
  const make =
    "mkdir a && cd a && mkdir $'d\\xff' && echo 1 > $'caf\\xe9' && echo 12 > $'d\\xff/x'";
  const { code } = await run(["bash", "-c", make], { cwd: dir.path });
  assertEquals(code, 0);
  const { files, warnings } = await save([`${dir.path}/a`]);
  assertEquals(files, { "a/caf\\xe9": 2, "a/d\\xff/x": 3 });
  assertEquals(warnings, [
    `Artifact "${dir.path}/a": names that are no UTF-8 are written with \\x: a/caf\\xe9, a/d\\xff`,
  ]);
});

Deno.test("faults 2.5: the holes of a sparse file are not sent, and count nothing", async () => {
  await using dir = await tempDir();
  const size = 100 * 1024 ** 3;
  const make = `truncate -s ${size} disk && printf x | dd of=disk bs=1 seek=${
    size - 1
  } conv=notrunc;
    printf y | dd of=disk bs=1 seek=5000000 conv=notrunc; truncate -s ${size} holes;
    head -c 3000000 /dev/urandom > plain`;
  await run(["bash", "-c", make], { cwd: dir.path });
  const limits = { ...ARTIFACT_LIMITS, artifactBytes: 4_000_000, runBytes: 4_000_000 };
  const { files, warnings, sparse } = await save([dir.path], limits);
  const name = dir.path.split("/").at(-1);
  assertEquals([files[`${name}/holes`], files[`${name}/plain`]], [0, 3_000_000]);
  assertEquals(files[`${name}/disk`]! <= 2 * 65_536, true, `${files[`${name}/disk`]}`);
  assertEquals(warnings, []);
  assertEquals(sparse.map((each) => each.size), [size, size]);
  const [first, last, ...more] = sparse[0]!.extents;
  assertEquals([more, sparse[1]!.extents], [[], []]);
  assertEquals(first![0] <= 5_000_000 && first![0] + first![1] > 5_000_000, true);
  assertEquals(last![0] + last![1], size);
});

Deno.test("faults 2.5: a file of very many pieces is read whole from some piece on", async () => {
  await using dir = await tempDir();
  const file = await Deno.open(`${dir.path}/pieces`, { write: true, create: true });
  for (let piece = 0; piece < 1_010; piece++) {
    await file.seek(piece * 2 * 1024 * 1024, Deno.SeekMode.Start);
    await file.write(new Uint8Array([1]));
  }
  file.close();
  const { files, sparse } = await save([`${dir.path}/pieces`]);
  assertEquals(sparse[0]!.extents.length, MOST_EXTENTS + 1);
  const last = sparse[0]!.extents.at(-1)!;
  assertEquals(last[0] + last[1], sparse[0]!.size);
  assertEquals(files.pieces, sparse[0]!.extents.reduce((sum, [, length]) => sum + length, 0));
});
