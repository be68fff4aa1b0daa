import { assertEquals } from "@std/assert";
import { parseAccounts, parseSubordinateIds } from "./accounts.ts";

Deno.test("parseSubordinateIds() reads what grants something and leaves the rest out", () => {
  const text = "ann:100000:65536\n#ben:1:2\nbroken\n1001:200000:10\nx:y:z\n";
  assertEquals(parseSubordinateIds(text), [
    { owner: "ann", start: 100000, count: 65536 },
    { owner: "1001", start: 200000, count: 10 },
  ]);
});

Deno.test("parseAccounts() reads name and number of both files", () => {
  assertEquals(parseAccounts("root:x:0:0::/root:/bin/sh\n+::::::\n"), [{ name: "root", id: 0 }]);
  assertEquals(parseAccounts("staff:x:50:ann,ben\n"), [{ name: "staff", id: 50 }]);
});
