import { assertEquals } from "@std/assert";
import { ignoredSignals } from "./interrupt.ts";

Deno.test("ignoredSignals() reads the mask of a process", () => {
  const read = (
    mask: string,
  ) => [...ignoredSignals(`SigCgt:\t0000000000000001\nSigIgn:\t${mask}\n`)];
  assertEquals(read("0000000000001000"), []);
  assertEquals(read("0000000000001001"), ["SIGHUP"]);
  assertEquals(read("0000000000000006"), ["SIGINT"]);
  assertEquals(read("fffffffe7ffbfeff"), ["SIGINT", "SIGTERM", "SIGHUP"]);
});

Deno.test("ignoredSignals() finds none where a system does not tell", () => {
  assertEquals(ignoredSignals("").size, 0);
});
