import { assertEquals } from "@std/assert";
import { ImportMap } from "./import_map.ts";

Deno.test("ImportMap looks up whole specifiers, folders and sub-paths of packages", () => {
  const map = new ImportMap({
    "own": "./src/own.ts",
    "@/": "./src/",
    "@/deep/": "./deep/",
    "@karotte/cli": "jsr:@karotte/cli@^0.1",
    "zod": "npm:zod@^4",
    "path": "node:path",
  }, "/some where/deno.json");
  const cases: Record<string, string | undefined> = {
    "own": "file:///some%20where/src/own.ts",
    "own/other": undefined,
    "@/a b.ts": "file:///some%20where/src/a%20b.ts",
    "@/deep/a.ts": "file:///some%20where/deep/a.ts",
    "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk",
    "zod": "npm:zod@^4",
    "zod/v4": "npm:zod@^4/v4",
    "zodiac": undefined,
    "path": "node:path",
    "constructor": undefined,
    "./own": undefined,
  };
  for (const [specifier, expected] of Object.entries(cases)) {
    assertEquals(map.lookUp(specifier), expected, specifier);
  }
});
