import { assertEquals, assertThrows } from "@std/assert";
import * as path from "./path.ts";

Deno.test("the names of node:path behave as documented", () => {
  assertEquals(path.join("/a", "..", "b"), "/b");
  assertEquals(path.resolve("/a", "b", "../c"), "/a/c");
  assertEquals(path.relative("/a/b", "/a/c"), "../c");
  assertEquals(path.normalize("/a//b/./c/.."), "/a/b");
  assertEquals([path.dirname("/a/b.ts"), path.basename("/a/b.ts"), path.extname("b.ts")], [
    "/a",
    "b.ts",
    ".ts",
  ]);
  assertEquals(path.basename("/a/b.ts", ".ts"), "b");
  assertEquals([path.isAbsolute("/a"), path.isAbsolute("a")], [true, false]);
});

Deno.test("toFileUrl() and fromFileUrl() are inverse for every character", () => {
  const name = "/a b/#?%é\\x.ts";
  assertEquals(path.toFileUrl(name).href, "file:///a%20b/%23%3F%25%C3%A9%5Cx.ts");
  assertEquals(path.fromFileUrl(path.toFileUrl(name)), name);
  assertEquals(path.fromFileUrl("file:///home/foo"), "/home/foo");
});

Deno.test("toFileUrl() and fromFileUrl() refuse what has no other form", () => {
  assertThrows(() => path.toFileUrl("a/b"), TypeError);
  assertThrows(() => path.fromFileUrl("https://example.com/a"), TypeError);
});
