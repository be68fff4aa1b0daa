import { assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

/** What git leaves at a conflict; fmt may have joined it to the line before. */
const MARKS = /<{7} |>{7} /;

Deno.test("no page has what git leaves at a conflict, which the compiler finds in code only", async () => {
  const found: string[] = [];
  for (const folder of ["", "docs/", "plugins/"]) {
    const entries = await Array.fromAsync(Deno.readDir(new URL(folder, ROOT)));
    for (const { name } of entries) {
      if (!name.endsWith(".md")) continue;
      const text = await Deno.readTextFile(new URL(folder + name, ROOT));
      if (MARKS.test(text)) found.push(folder + name);
    }
  }
  assertEquals(found, []);
});
