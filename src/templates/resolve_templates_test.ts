import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { resolveTemplates } from "./resolve_templates.ts";
import type { Template } from "./template.ts";

function template(id: string, ...requires: string[]): Template {
  return { id, requires, description: id, do_not_recreate_if_deleted: [], files: {} };
}

function idsOf(requested: string[], ...installed: Template[]): string[] {
  return resolveTemplates(requested, installed).map(({ id }) => id);
}

Deno.test("resolveTemplates() puts what is required first, and nothing twice", () => {
  const installed = [
    template("a", "b", "c"),
    template("b", "d"),
    template("c", "d"),
    template("d"),
  ];
  assertEquals(idsOf(["c", "a", "c"], ...installed), ["d", "c", "b", "a"]);
});

Deno.test("resolveTemplates() names a missing template, who requires it, and what there is", () => {
  const error = assertThrows(
    () => idsOf(["a"], template("b"), template("a", "x")),
    KarotteError,
    'Cannot use template "x", which "a" requires: not found',
  );
  assertEquals(error.hint, "Installed templates: a, b.");
});

Deno.test("resolveTemplates() shows a cycle", () => {
  assertThrows(
    () => idsOf(["x"], template("x", "a"), template("a", "b"), template("b", "a")),
    KarotteError,
    "a -> b -> a",
  );
});
