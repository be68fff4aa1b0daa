import { assertEquals } from "@std/assert";
import { openBelow } from "../../../tests/support/open_below.ts";
import { tempStudent } from "../../../tests/support/temp_student.ts";
import { DEFAULT_SUBMISSION_LIMITS } from "../../sdk/submission.ts";
import type { TreePart } from "./tree_reader.ts";

/** The names of files and folders among some parts. */
function namesOf(parts: readonly TreePart[], kind: "file" | "folder"): string[] {
  return parts.flatMap((part) =>
    part.kind === kind ? [new TextDecoder().decode("path" in part ? part.path : undefined)] : []
  );
}

Deno.test("what goes, or becomes something else, while a tree is read is read as it is then", async () => {
  await using at = await tempStudent();
  const { student } = at;
  const shell = async (script: string) =>
    assertEquals((await student.run(["bash", "-ec", script])).code, 0);
  // More entries than one answer of the reader has.
  await shell(
    "mkdir -p t/a t/x t/y/inner t/z; (cd t/a; seq 6000 | xargs touch); touch t/y/f t/z/f",
  );
  const tree = student.files.readTree(`${student.home}/t`, {
    ...DEFAULT_SUBMISSION_LIMITS,
    links: "leave out",
  });
  const first = (await tree.next()).value ?? [];
  assertEquals(namesOf(first, "folder"), ["", "a"]);
  await shell("rm -r t/a t/y; echo now > t/y; rm -r t/x; ln -s /etc t/x; mv t/z/f t/z/g");
  const rest: TreePart[] = [];
  for await (const parts of tree) rest.push(...parts);
  assertEquals(namesOf(rest, "folder"), ["z"]);
  assertEquals(namesOf(rest, "file"), ["y", "z/g"]);
  assertEquals(await openBelow([at.path]), []);
});

Deno.test("a tree whose root goes while it is read ends there", async () => {
  await using at = await tempStudent();
  const { student } = at;
  await student.run(["bash", "-ec", "mkdir t; cd t; seq 6000 | xargs touch"]);
  const tree = student.files.readTree(`${student.home}/t`, DEFAULT_SUBMISSION_LIMITS);
  assertEquals(namesOf((await tree.next()).value ?? [], "folder"), [""]);
  await student.run(["rm", "-r", "t"]);
  assertEquals((await tree.next()).value ?? [], []);
  await tree.return(undefined);
  assertEquals(await openBelow([at.path]), []);
});
