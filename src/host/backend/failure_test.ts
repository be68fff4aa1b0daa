import { assertEquals } from "@std/assert";
import { connectionFault, shown } from "./failure.ts";

Deno.test("what fetch failed with is told without the URL, whose query may be a key", () => {
  const refused = "client error (Connect): tcp connect error: Connection refused (os error 111)";
  const told = [
    // Deno 2.6, and 2.9 with its cause.
    new TypeError(`error sending request for url (https://h.test/x?sig=secret): ${refused}`),
    new TypeError("fetch failed", {
      cause: new Error(
        `error sending request from 127.0.0.1:1 for https://h.test/x?sig=secret (1.2.3.4:443): ${refused}`,
      ),
    }),
  ].map(connectionFault);
  assertEquals(told, [refused, refused]);
  assertEquals(
    connectionFault(new TypeError("cannot use https://user:pw@h.test/x?sig=secret now")),
    "cannot use https://h.test/x now",
  );
  assertEquals(connectionFault("odd"), "odd");
});

Deno.test("another server's text is one short line in a message", () => {
  assertEquals(shown("a\r\n\tb\x1b[2J\u202ec "), "a b [2J c");
  assertEquals(shown("x".repeat(1_000)).length, 300);
});
