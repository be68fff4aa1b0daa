import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
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

Deno.test("resolveProxy() refuses credentials and queries, and doesn't show them", () => {
  for (
    const text of [
      "http://user:hidden@localhost:4000",
      "http://hidden@localhost:4000/v1",
      "http://localhost:4000/v1?key=hidden",
      "http://localhost:4000/#hidden",
      "ftp://user:hidden@localhost",
      "unix://user:hidden@host/run?key=hidden",
      "user:hidden@localhost:4000",
    ]
  ) {
    const flags = { proxy: text, noProxy: undefined };
    const error = assertThrows(() => resolveProxy(flags, undefined), KarotteError);
    assertEquals([error.code, `${error.message}${error.hint}`.includes("hidden")], [
      "usage",
      false,
    ]);
  }
});

Deno.test("faults 3.2: a proxy that is refused is shown as it was written", () => {
  for (
    const proxy of ["unix:///run/api.sock", "unix:/run/api.sock", "localhost:4000", "ftp://x/a"]
  ) {
    assertThrows(
      () => resolveProxy({ proxy, noProxy: undefined }, undefined),
      KarotteError,
      `Cannot use proxy "${proxy}": no http(s) URL`,
    );
  }
});
