import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { type ModuleTarget, moduleTarget, readTarget } from "./module_target.ts";

const read = (written: string) => readTarget(written, "/project");

Deno.test("readTarget() reads paths and URLs of files", () => {
  const cases: readonly [written: string, path: string][] = [
    ["./a.ts", "/project/a.ts"],
    ["../b # 1.ts", "/b # 1.ts"],
    ["/c.js", "/c.js"],
    ["file:///d%20e.ts", "/d e.ts"],
    // Whether a file can be loaded shows when it is.
    ["./f.txt", "/project/f.txt"],
  ];
  for (const [written, path] of cases) {
    assertEquals(read(written), { kind: "file", written, path, key: path });
  }
});

Deno.test("readTarget() reads packages, whose key is the same however they are written", () => {
  const parts = (target: ModuleTarget) =>
    target.kind === "package" && [target.package, target.subpath, target.key];
  const acme = { registry: "npm", name: "acme", range: undefined } as const;
  assertEquals(parts(read("npm:acme")), [acme, "", "npm:acme"]);
  const sub = [{ ...acme, range: "^2" }, "/sub/x", "npm:acme@^2/sub/x"];
  assertEquals(parts(read("npm:acme@^2/sub/x")), sub);
  assertEquals(parts(read("npm:/acme@^2/sub/x")), sub);
  const jsr = { registry: "jsr", name: "@a/b", range: "1" } as const;
  assertEquals(parts(read("jsr:@a/b@1")), [jsr, "", "jsr:@a/b@1"]);
});

Deno.test("readTarget() keeps the name of a package that can't be loaded", () => {
  const cases: readonly [written: string, name: string, reason: string, hint: string][] = [
    ["npm:", "", "not the name of a package", "Write npm:NAME"],
    ["jsr:unscoped@1", "unscoped", "not the name of a package", "Write jsr:@SCOPE/NAME"],
    ["npm:x@file:y", "x", "not a version or a range", "a range of versions"],
  ];
  for (const [written, name, reason, hint] of cases) {
    const target = moduleTarget(written, "/project", "this test");
    assertEquals(target.kind === "unusable" && [target.packageName, target.reason], [name, reason]);
    assertStringIncludes(target.kind === "unusable" ? target.hint : "", hint);
  }
});

Deno.test("moduleTarget() refuses what names neither a file nor a package", () => {
  const cases: readonly [written: string, reason: string, hint: string][] = [
    ["./a.py", "it is Python", "port it"],
    ["/a.pyc", "it is Python", "port it"],
    ["acme.plugins:app", "it is Python", "port it"],
    ["acme:app", "it is Python", "port it"],
    ["file://host/x.ts", "not a file's URL", "file:///PATH"],
    ["https://example.com/x.ts", "only paths, npm: and jsr: are loaded", "install it"],
    ["node:fs", "only paths, npm: and jsr: are loaded", "install it"],
    ["a.ts", "not a path", "./a.ts"],
    ["karotte-acme", "neither a path nor a package", 'write "npm:karotte-acme"'],
  ];
  for (const [written, reason, hint] of cases) {
    const error = assertThrows(() => moduleTarget(written, "/", "/m.json:1:2"), KarotteError);
    assertStringIncludes(error.message, `/m.json:1:2: cannot use plugin "${written}": ${reason}`);
    assertEquals(error.code, "plugin");
    assertStringIncludes(error.hint ?? "", hint);
  }
});
