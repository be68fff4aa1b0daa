import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { run } from "../../base/process.ts";
import { type TempTools, tempTools } from "../../../tests/support/temp_tools.ts";

async function withFile(content: string | Uint8Array): Promise<TempTools & { file: string }> {
  const tools = await tempTools();
  const file = `${tools.student.home}/file`;
  await Deno.writeFile(
    file,
    typeof content === "string" ? new TextEncoder().encode(content) : content,
  );
  return Object.assign(tools, { file });
}

function view(tools: TempTools & { file: string }, from: number, to: number, config?: object) {
  return tools.call("view_lines_in_file", { file_path: tools.file, from_line: from, to_line: to }, {
    ...(config === undefined ? {} : { config }),
  }) as Promise<{ content: string; system?: string; [field: string]: unknown }>;
}

Deno.test("view_lines_in_file shows the lines as they are", async () => {
  await using tools = await withFile("\ufeffa\r\nb\0\n\nlast é");
  assertEquals(await view(tools, 2, 3), {
    file_path: tools.file,
    from_line: 2,
    to_line: 3,
    content: "b\0\n\n",
  });
  assertEquals((await view(tools, 1, 1)).content, "\ufeffa\r\n");
  assertEquals((await view(tools, 4, 4)).content, "last é");
  assertEquals((await view(tools, 3, 900)).content, "\nlast é");
});

Deno.test("view_lines_in_file says how many lines there are", async () => {
  for (const [content, lines] of [["", 0], ["a", 1], ["a\n", 1], ["a\n\n", 2]] as const) {
    await using tools = await withFile(content);
    await assertRejects(() => view(tools, 3, 4), Error, `has ${lines} lines`);
  }
  await using tools = await withFile("");
  assertEquals((await view(tools, 1, 5)).content, "");
});

Deno.test("view_lines_in_file checks the range", async () => {
  await using tools = await withFile("a\n");
  await assertRejects(() => view(tools, 0, 1), Error, "counted from 1");
  await assertRejects(() => view(tools, 2, 1), Error, "before from_line");
  await assertRejects(() => view(tools, 1, 1001), Error, "at most 1000");
  await assertRejects(() => view(tools, 1, 3, { max_lines: 2 }), Error, "at most 2");
});

Deno.test("view_lines_in_file finds lines across its chunks, in a file of any size", async () => {
  const line = `${"x".repeat(999)}\n`;
  await using tools = await withFile(`${line.repeat(5000)}here\n${line.repeat(5000)}`);
  assertEquals((await view(tools, 5001, 5001)).content, "here\n");
  assertEquals((await view(tools, 5000, 5002)).content, `${line}here\n${line}`);
  await assertRejects(() => view(tools, 20_000, 20_000), Error, "has 10001 lines");
});

Deno.test("view_lines_in_file keeps the head of what is too long", async () => {
  const limit = 384 * 1024;
  await using tools = await withFile("é".repeat(limit));
  const { content, system } = await view(tools, 1, 1);
  assertEquals([content.length, content.replaceAll("é", "")], [limit / 2, ""]);
  assertStringIncludes(system ?? "", "was cut");
  // As JSON a control character takes six bytes.
  await Deno.writeTextFile(tools.file, "\x01".repeat(limit));
  assertEquals((await view(tools, 1, 1)).content.length, limit / 6);
});

Deno.test("view_lines_in_file reads no binary file, no FIFO, and nothing of root", async () => {
  await using tools = await withFile(new Uint8Array([0xff, 0xfe, 0x0a]));
  await assertRejects(() => view(tools, 1, 1), Error, "use bash");
  await run(["mkfifo", "-m", "666", `${tools.path}/fifo`]);
  await Deno.writeTextFile(`${tools.path}/secret`, "s", { mode: 0o600 });
  const refused = { fifo: "not a regular file", secret: "permission denied", none: "no such file" };
  for (const [name, reason] of Object.entries(refused)) {
    const file = `${tools.path}/${name}`;
    await assertRejects(() => view({ ...tools, file }, 1, 1), Error, reason);
  }
  await assertRejects(
    () => view({ ...tools, file: "file" }, 1, 1),
    Error,
    '"file": not an absolute',
  );
});
