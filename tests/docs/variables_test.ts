import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const PAGE = "docs/statuses_and_variables.md";
const NAME = /\b(?:KAROTTE|CHALK)_[A-Z][A-Z_]*\b/g;

/** Names in the source that are no variables: a constant, and marks in bundles. */
const OTHERS = ["KAROTTE_DIRECTORY", "KAROTTE_MAIN", "KAROTTE_ROOT"];

Deno.test(`${PAGE} has each variable that the program and the scripts name, and no other`, async () => {
  const used = [...await namesBelow("src"), ...await namesBelow("scripts")];
  const listed = namesIn(await Deno.readTextFile(join(ROOT, PAGE)));
  assertEquals([...new Set(used)].sort(), [...new Set([...listed, ...OTHERS])].sort());
});

/** The names in the files of a folder that are no tests. */
async function namesBelow(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, folder))) {
    const path = join(folder, name);
    if (isDirectory) names.push(...await namesBelow(path));
    else if (!name.endsWith("_test.ts")) {
      names.push(...namesIn(await Deno.readTextFile(join(ROOT, path))));
    }
  }
  return names;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)].map(([name]) => name);
}
