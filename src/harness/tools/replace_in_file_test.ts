import { assert, assertEquals, assertRejects } from "@std/assert";
import { run } from "../../base/process.ts";
import { type TempTools, tempTools } from "../../../tests/support/temp_tools.ts";

const LIMIT = 10 * 1024 * 1024;

async function withFile(content: string): Promise<TempTools & { file: string }> {
  const tools = await tempTools();
  const file = `${tools.student.home}/file`;
  await Deno.writeTextFile(file, content);
  await Deno.chmod(file, 0o666);
  return Object.assign(tools, { file });
}

interface Arguments {
  file_path?: string;
  old: string;
  new: string;
  replace_all?: boolean;
}

function replace(tools: TempTools & { file: string }, input: Arguments) {
  return tools.call("replace_in_file", { file_path: tools.file, ...input }) as Promise<
    { result: string; diff: string }
  >;
}

Deno.test("replace_in_file replaces the first occurrence, or all, and shows the diff", async () => {
  await using tools = await withFile("a\nfoo foo\nb\n");
  const { result, diff } = await replace(tools, { old: "foo", new: "$&" });
  assertEquals(result, `Replaced 1 occurrence in "${tools.file}".`);
  assertEquals(
    diff,
    `--- ${tools.file}\n+++ ${tools.file}\n@@ -1,3 +1,3 @@\n a\n-foo foo\n+$& foo\n b\n`,
  );
  await replace(tools, { old: "o", new: "", replace_all: true });
  assertEquals(await Deno.readTextFile(tools.file), "a\n$& f\nb\n");
});

Deno.test("replace_in_file keeps byte order mark, line ends and NUL", async () => {
  await using tools = await withFile("\ufeffa\r\n\0b");
  await replace(tools, { old: "a", new: "c" });
  assertEquals(await Deno.readFile(tools.file), new TextEncoder().encode("\ufeffc\r\n\0b"));
});

Deno.test("replace_in_file refuses and leaves the file as it is", async () => {
  await using tools = await withFile("abc");
  await assertRejects(() => replace(tools, { old: "", new: "x" }), Error, "empty");
  await assertRejects(() => replace(tools, { old: "x", new: "y" }), Error, "does not contain");
  await assertRejects(() => replace(tools, { old: "a", new: "\ud800" }), Error, "Unicode");
  const large = "x".repeat(LIMIT);
  await assertRejects(() => replace(tools, { old: "a", new: large }), Error, "would have 10485762");
  assertEquals(await Deno.readTextFile(tools.file), "abc");
  await Deno.writeFile(tools.file, new Uint8Array([0xff]));
  await assertRejects(() => replace(tools, { old: "a", new: "b" }), Error, "not UTF-8");
});

Deno.test("replace_in_file takes a file of 10 MiB and not a byte more", async () => {
  await using tools = await withFile("x".repeat(LIMIT));
  await replace(tools, { old: "x", new: "y" });
  await Deno.writeTextFile(tools.file, "x", { append: true });
  await assertRejects(() => replace(tools, { old: "x", new: "" }), Error, "10485761 bytes");
});

Deno.test("replace_in_file acts with the student's rights", async () => {
  await using tools = await withFile("abc");
  await Deno.chmod(tools.file, 0o644);
  const change = { old: "a", new: "b" };
  await assertRejects(() => replace(tools, change), Error, "Cannot write");
  await Deno.chmod(tools.file, 0o600);
  await assertRejects(() => replace(tools, change), Error, "permission denied");
  assertEquals(await Deno.readTextFile(tools.file), "abc");
  await run(["mkfifo", "-m", "666", `${tools.path}/fifo`]);
  for (
    const [name, reason] of [["fifo", "not a regular file"], ["none", "no such file"]] as const
  ) {
    const file_path = `${tools.path}/${name}`;
    await assertRejects(() => replace(tools, { ...change, file_path }), Error, reason);
  }
});

Deno.test("replace_in_file survives millions of occurrences", async () => {
  for (const content of ["a".repeat(4_000_000), "a\n".repeat(2_000_000)]) {
    await using tools = await withFile(content);
    const { diff } = await replace(tools, { old: "a", new: "b", replace_all: true });
    assert(diff.length < 70_000);
    assertEquals((await Deno.readTextFile(tools.file)).includes("a"), false);
  }
});
