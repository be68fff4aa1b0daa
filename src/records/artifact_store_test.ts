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

Deno.test("a later artifact of the same name wins, file over folder too", async () => {
  await using dir = await tempDir();
  const store = new ArtifactStore(dir.path, "r1");
  await put(store, ["a", "b"], "first");
  await put(store, ["a"], "second");
  assertEquals(await Deno.readTextFile(`${dir.path}/r1_artifacts/a`), "second");
});

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
  const store = new ArtifactStore(dir.path, "r1", ceilings);
  await put(store, ["a"], "12345678");
  await assertRejects(() => put(store, ["b"], "12345678"), Error, "more than 10 bytes");
  await assertRejects(() => put(store, ["c"], ""), Error, "more than 2 entries");
  await assertRejects(() => put(store, ["d"], "1", { number: 1 }), Error, "above 15 bytes");
  const names = await Array.fromAsync(Deno.readDir(`${dir.path}/r1_artifacts`));
  assertEquals(names.map(({ name }) => name), ["a"]);
});
