import { assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { tempDir } from "../../base/temp_dir.ts";
import { findStudentPaths, studentPathsIn } from "./student_paths.ts";

Deno.test("studentPathsIn() finds literal paths of the student's in calls of Deno", () => {
  const text = [
    'const a = await Deno.readTextFile("/workdir/answer.txt");',
    "await Deno.copyFile(from, `/workdir/data/${name}`);",
    "using file = await Deno.open(",
    "  '/workdir/x', { read: true });",
    'Deno.writeTextFileSync("/workdir/y", "text"); Deno.removeSync("/workdir/z");',
    '// Deno.readTextFile("/workdir/comment")',
    ' * Deno.readTextFile("/workdir/comment")',
    'await Deno.readTextFile("/workdir/shared/labels.txt"); Deno.readDir("/workdir/data");',
    'await Deno.readTextFile(context.submission("/workdir/answer.txt")!);',
    'await student.readFile("/workdir/answer.txt"); await Deno.readTextFile("/root_data/a");',
    'await Deno.readTextFile(`${copies}/workdir/answer.txt`); Deno.readFile("/workdirs/a");',
  ].join("\n");
  assertEquals(studentPathsIn(text), [
    { line: 1, call: 'Deno.readTextFile("/workdir/answer.txt")' },
    { line: 2, call: 'Deno.copyFile("/workdir/data/${name}")' },
    { line: 3, call: 'Deno.open("/workdir/x")' },
    { line: 5, call: 'Deno.writeTextFileSync("/workdir/y")' },
    { line: 5, call: 'Deno.removeSync("/workdir/z")' },
  ]);
});

Deno.test("findStudentPaths() looks at all code of the environment, in order", async () => {
  await using dir = await tempDir();
  const call = 'Deno.readTextFile("/workdir/a")';
  for (const file of ["judges/b.ts", "judges/a.js", "notes.md", "node_modules/x/mod.ts"]) {
    const path = `${dir.path}/src/environment/${file}`;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, `\n${call}`);
  }
  await Deno.symlink("/", `${dir.path}/src/environment/link`);
  assertEquals(await findStudentPaths(dir.path), [
    { file: "src/environment/judges/a.js", line: 2, call },
    { file: "src/environment/judges/b.ts", line: 2, call },
  ]);
  assertEquals(await findStudentPaths(`${dir.path}/nowhere`), []);
});
