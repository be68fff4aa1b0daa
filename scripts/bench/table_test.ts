import { assertEquals } from "@std/assert";
import { isMissed, type Measured } from "./measured.ts";
import { table } from "./table.ts";

const figure = (value: number): Measured => ({
  what: "start",
  value,
  unit: "x",
  target: 3,
  detail: "30 ms against 10 ms",
});

Deno.test("a target is missed above it, or when there is no number", () => {
  assertEquals([2.9, 3, 3.001, NaN].map((value) => isMissed(figure(value))), [
    false,
    false,
    true,
    true,
  ]);
  assertEquals(isMissed({ what: "echo", reason: "not root" }), false);
});

Deno.test("the table has a line for each measurement, with its verdict", () => {
  const found = [figure(1.6912), figure(12), { what: "a longer name", reason: "not root" }];
  assertEquals(table(found).split("\n"), [
    "what           figure  target",
    "start          1.69 x  3 x     ok        30 ms against 10 ms",
    "start          12 x    3 x     MISSED    30 ms against 10 ms",
    "a longer name  -       -       left out  not root",
  ]);
});
