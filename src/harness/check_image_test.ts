import { assertThrows } from "@std/assert";
import { checkLoaderVariables } from "./check_image.ts";

Deno.test("variables of the loader have absolute parts only", () => {
  const check = (name: string, value: string) =>
    checkLoaderVariables((asked) => asked === name ? value : undefined);
  check("PATH", "/usr/bin:/bin");
  check("LD_LIBRARY_PATH", "");
  check("LD_PRELOAD", "/a.so /b.so:/c.so");
  check("HOME", "bin");
  assertThrows(() => check("PATH", "/usr/bin:bin"), Error, 'PATH has "bin", no absolute path');
  assertThrows(() => check("PATH", "/usr/bin:"), Error, 'PATH has ""');
  assertThrows(() => check("LD_PRELOAD", "/a.so b.so"), Error, 'LD_PRELOAD has "b.so"');
});
