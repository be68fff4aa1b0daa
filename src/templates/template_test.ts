import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { builtinTemplates } from "./builtin_templates.ts";
import { parseTemplate } from "./template.ts";

Deno.test("parseTemplate() takes template.json out of the files and fills in defaults", () => {
  const files = { "template.json": '{"description": "Bare"}', "a.txt": "a" };
  assertEquals(parseTemplate("bare", files), {
    id: "bare",
    description: "Bare",
    requires: [],
    do_not_recreate_if_deleted: [],
    files: { "a.txt": "a" },
  });
});

Deno.test("parseTemplate() refuses bad ids and descriptions", () => {
  const description = '{"description": "Bare"}';
  for (const id of ["", "A", "-a", "a-", "a--b", "a/b", ".."]) {
    assertThrows(() => parseTemplate(id, { "template.json": description }), KarotteError, "its id");
  }
  assertThrows(() => parseTemplate("a", {}), KarotteError, "it has no template.json");
  assertThrows(() => parseTemplate("a", { "template.json": "{" }), KarotteError, "template.json: ");
  const misspelt = '{"description": "Bare", "require": []}';
  assertThrows(() => parseTemplate("a", { "template.json": misspelt }), KarotteError, "require");
});

Deno.test("what a built-in template protects from recreation is there", () => {
  for (const { do_not_recreate_if_deleted, files } of builtinTemplates()) {
    const paths = Object.keys(files).map((path) => path.replace(/\.njk$/, ""));
    for (const kept of do_not_recreate_if_deleted) {
      assertEquals(paths.some((path) => path === kept || path.startsWith(`${kept}/`)), true, kept);
    }
  }
});
