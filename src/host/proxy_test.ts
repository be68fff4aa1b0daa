import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { resolveProxy } from "./proxy.ts";

Deno.test("the proxy is the flag's, else the plugins', and --no-proxy beats both", () => {
  const none = { proxy: undefined, noProxy: undefined };
  assertEquals(resolveProxy(none, undefined), undefined);
  assertEquals(resolveProxy(none, "https://plugin.example/"), "https://plugin.example");
  const flag = { proxy: "http://localhost:4000", noProxy: false };
  assertEquals(resolveProxy(flag, "https://plugin.example"), "http://localhost:4000");
  assertEquals(resolveProxy({ ...flag, noProxy: true }, "https://plugin.example"), undefined);
  for (const proxy of ["localhost:4000", "ftp://x", ""]) {
    assertThrows(() => resolveProxy({ ...none, proxy }, undefined), KarotteError, "no http(s) URL");
  }
});
