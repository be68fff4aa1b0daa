import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../base/temp_dir.ts";
import { ArtifactStore } from "./artifact_store.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function put(
  store: ArtifactStore,
  path: string[],
  content = "x",
  { number = 0, executable = false } = {},
): Promise<void> {
  const sink = await store.open({ artifact: { number, path, executable } });
  try {
    await sink.write(bytes(content));
  } catch (error) {
    await sink.abort();
    throw error;
  }
  await sink.close();
}

Deno.test("artifacts go into a folder of their own, and one that exists gets a number", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/r1_artifacts`);
  const store = new ArtifactStore(dir.path, "r1");
  assertEquals(store.folder, undefined);
  await put(store, ["results", "a b.txt"], "hello", { executable: true });
  assertEquals(await store.folder, `${dir.path}/r1_artifacts_2`);
  const path = `${dir.path}/r1_artifacts_2/results/a b.txt`;
  assertEquals(await Deno.readTextFile(path), "hello");
  assertEquals((await Deno.stat(path)).mode! & 0o777, 0o755);
});

Deno.test("faults 2.5: a second artifact of a name is kept beside the first, and told of", async () => {
  await using dir = await tempDir();
  const warnings: string[] = [];
  const store = new ArtifactStore(dir.path, "r1", { warn: (text) => warnings.push(text) });
  await put(store, ["x.txt"], "first");
  await put(store, ["x.txt"], "second", { number: 1 });
  await put(store, ["x.2.txt"], "third", { number: 2 });
  await put(store, ["logs", "a"], "4", { number: 3 });
  await Promise.all([
    put(store, ["logs", "a"], "5", { number: 4 }),
    put(store, ["logs", "b"], "6", { number: 4 }),
  ]);
  await put(store, ["logs", "b"], "7", { number: 3 });
  await put(store, ["logs"], "8", { number: 5 });
  assertEquals(await contents(`${dir.path}/r1_artifacts`), {
    "logs.2/a": "5",
    "logs.2/b": "6",
    "logs.3": "8",
    "logs/a": "4",
    "logs/b": "7",
    "x.2.2.txt": "third",
    "x.2.txt": "second",
    "x.txt": "first",
  });
  assertEquals(warnings, [
    'Artifact "x.txt": there is one already, kept as "x.2.txt"',
    'Artifact "x.2.txt": there is one already, kept as "x.2.2.txt"',
    'Artifact "logs": there is one already, kept as "logs.2"',
    'Artifact "logs": there is one already, kept as "logs.3"',
  ]);
});

Deno.test("faults 2.5: two names in an artifact that are one on this disk are both kept", async () => {
  await using dir = await tempDir();
  const warnings: string[] = [];
  const store = new ArtifactStore(dir.path, "r1", { warn: (text) => warnings.push(text) });
  for (const content of ["1", "2"]) await put(store, ["logs", "caf\\xe9"], content);
  assertEquals(await contents(`${dir.path}/r1_artifacts`), {
    "logs/caf\\xe9": "1",
    "logs/caf\\xe9.2": "2",
  });
  assertEquals(warnings.length, 1);
});

Deno.test("faults 2.5: a sparse file has its size and its data, and takes no more room", async () => {
  await using dir = await tempDir();
  const store = new ArtifactStore(dir.path, "r1");
  const size = 100 * 1024 ** 3;
  const extents = [[4096, 3], [size - 2, 2]] as const;
  const about = { number: 0, path: ["disk"], executable: false, sparse: { size, extents } };
  const sink = await store.open({ artifact: about });
  await sink.write(bytes("ab"));
  await sink.write(bytes("cyz"));
  await sink.close();
  using file = await Deno.open(`${dir.path}/r1_artifacts/disk`);
  const found = await file.stat();
  assertEquals([found.size, (found.blocks ?? Infinity) * 512 < 1024 ** 2], [size, true]);
  for (const [offset, text] of [[4096, "abc"], [4099, "\0\0"], [size - 2, "yz"]] as const) {
    const buffer = new Uint8Array(text.length);
    await file.seek(offset, Deno.SeekMode.Start);
    await file.read(buffer);
    assertEquals(buffer, bytes(text));
  }
  const full = await store.open({ artifact: { ...about, number: 1 } });
  await assertRejects(
    async () => await full.write(bytes("abcyz and more")),
    Error,
    "more data than",
  );
  await full.abort();
  for (const wrong of [[[5, 3], [4, 1]], [[size, 1]], [[0, 0]]]) {
    const sparse = { size, extents: wrong };
    await assertRejects(() => store.open({ artifact: { ...about, sparse } }), Error);
  }
});

async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory) found[name] = await Deno.readTextFile(`${folder}/${name}`);
    else {
      for (const [below, content] of Object.entries(await contents(`${folder}/${name}`))) {
        found[`${name}/${below}`] = content;
      }
    }
  }
  return found;
}

Deno.test("a name that could leave the folder is refused", async () => {
  await using dir = await tempDir();
  const store = new ArtifactStore(dir.path, "r1");
  for (
    const path of [[".."], ["a", "..", "..", "b"], ["/etc/passwd"], ["a/b"], ["a\0b"], ["."], []]
  ) {
    await assertRejects(() => put(store, path), Error);
  }
  assertEquals(store.folder, undefined);
});

Deno.test("the host keeps to the ceilings whatever the sandbox does", async () => {
  await using dir = await tempDir();
  const ceilings = { artifactBytes: 10, artifactEntries: 2, runBytes: 15 };
  const store = new ArtifactStore(dir.path, "r1", { limits: ceilings });
  await put(store, ["a"], "12345678");
  await assertRejects(() => put(store, ["b"], "12345678"), Error, "more than 10 bytes");
  await assertRejects(() => put(store, ["c"], ""), Error, "more than 2 entries");
  await assertRejects(() => put(store, ["d"], "1", { number: 1 }), Error, "above 15 bytes");
  const names = await Array.fromAsync(Deno.readDir(`${dir.path}/r1_artifacts`));
  assertEquals(names.map(({ name }) => name), ["a"]);
});
