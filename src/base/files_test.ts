import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  exists,
  ifThere,
  ifThereSync,
  isDirectorySync,
  isFileSync,
  isReachableDirectorySync,
  isReachableFile,
  isReachableFileSync,
  isReachableSync,
  readTextIfThere,
  readTextIfThereSync,
} from "./files.ts";
import { tempDir } from "./temp_dir.ts";

Deno.test("ifThere() is undefined for what is not there, and throws anything else", async () => {
  await using dir = await tempDir();
  const [there, missing] = [`${dir.path}/there`, `${dir.path}/missing`];
  await Deno.writeTextFile(there, "text");
  assertEquals(await ifThere(Deno.readTextFile(there)), "text");
  assertEquals(await ifThere(Deno.readTextFile(missing)), undefined);
  await assertRejects(() => ifThere(Deno.readTextFile(dir.path)));
  assertEquals(ifThereSync(() => Deno.readTextFileSync(there)), "text");
  assertEquals(ifThereSync(() => Deno.readTextFileSync(missing)), undefined);
  assertThrows(() => ifThereSync(() => Deno.readTextFileSync(dir.path)));
});

/** A folder with a file, a folder, a link that leads nowhere and a link that leads to itself. */
async function lookedAt() {
  const dir = await tempDir();
  const at = (name: string) => `${dir.path}/${name}`;
  await Deno.writeTextFile(at("file"), "text");
  await Deno.mkdir(at("folder"));
  await Deno.symlink("nowhere", at("dangling"));
  await Deno.symlink("loop", at("loop"));
  return { at, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

Deno.test("a look tells what is missing from what it can't look at", async () => {
  await using dir = await lookedAt();
  const { at } = dir;
  const names = ["file", "folder", "dangling", "loop", "missing"];
  const there = await Promise.all(names.map((name) => exists(at(name))));
  assertEquals(there, [true, true, true, true, false]);
  assertEquals(["file", "folder", "dangling"].map(at).map(isFileSync), [true, false, false]);
  assertEquals(["file", "folder", "dangling"].map(at).map(isDirectorySync), [false, true, false]);
  assertEquals(await readTextIfThere(at("file")), "text");
  assertEquals(await readTextIfThere(at("dangling")), undefined);
  assertEquals(readTextIfThereSync(at("file")), "text");
  assertEquals(readTextIfThereSync(at("missing")), undefined);
  for (const path of [at("loop"), at("file/below")]) {
    for (const look of [isFileSync, isDirectorySync, readTextIfThereSync]) {
      assertThrows(() => look(path));
    }
    await assertRejects(() => readTextIfThere(path));
  }
  await assertRejects(() => exists(at("file/below")));
});

Deno.test("what can't be looked at is not reachable", async () => {
  await using dir = await lookedAt();
  const names = ["file", "folder", "dangling", "loop", "missing", "file/below"];
  const paths = names.map(dir.at);
  const [no, yes] = [false, true];
  assertEquals(paths.map(isReachableSync), [yes, yes, no, no, no, no]);
  assertEquals(paths.map(isReachableFileSync), [yes, no, no, no, no, no]);
  assertEquals(await Promise.all(paths.map(isReachableFile)), [yes, no, no, no, no, no]);
  assertEquals(paths.map(isReachableDirectorySync), [no, yes, no, no, no, no]);
});
