import { assertEquals } from "@std/assert";
import { nodeModulesName, parsePackage } from "./specifier.ts";

Deno.test("parsePackage() reads npm:, jsr: and bare specifiers", () => {
  const parsed = (text: string) => {
    const found = parsePackage(text);
    return found && [found.registry, found.name, found.range, found.subpath];
  };
  assertEquals(parsed("zod"), ["none", "zod", undefined, ""]);
  assertEquals(parsed("zod/v4"), ["none", "zod", undefined, "/v4"]);
  assertEquals(parsed("npm:zod@^4/v4"), ["npm", "zod", "^4", "/v4"]);
  assertEquals(parsed("npm:/zod@>=3 <5"), ["npm", "zod", ">=3 <5", ""]);
  assertEquals(parsed("@karotte/cli/sdk"), ["none", "@karotte/cli", undefined, "/sdk"]);
  assertEquals(parsed("jsr:@std/path@1.1/join"), ["jsr", "@std/path", "1.1", "/join"]);
  assertEquals(parsed("#internal"), ["none", "#internal", undefined, ""]);
  for (const other of ["./a.ts", "../a", "/a", "https://a/b", "file:///a", "node:fs", ""]) {
    assertEquals(parsed(other), undefined, other);
  }
});

Deno.test("nodeModulesName() knows what npm calls a package of JSR", () => {
  const name = (text: string) => nodeModulesName(parsePackage(text)!);
  assertEquals(name("jsr:@std/path@1/join"), "@jsr/std__path/join");
  assertEquals(name("npm:@scope/name@1/sub"), "@scope/name/sub");
});
