import { assertEquals } from "@std/assert";
import { satisfies } from "./version_range.ts";

const CASES: readonly [version: string, range: string, expected: boolean][] = [
  ["4.6.7", "^4", true],
  ["4.6.7", "^4.6.8", false],
  ["4.6.7", "4", true],
  ["4.6.7", "4.6.x", true],
  ["4.6.7", "4.5.x", false],
  ["4.6.7", "~4.6.0", true],
  ["4.6.7", "~4.5", false],
  ["4.6.7", "~4", true],
  ["4.6.7", "*", true],
  ["4.6.7", "", true],
  ["4.6.7", "4.6.7", true],
  ["4.6.7", "=4.6.7", true],
  ["4.6.7", "4.6.6", false],
  ["4.6.7", "^3 || ^4", true],
  ["4.6.7", ">=3.25 <5", true],
  ["4.6.7", ">= 3.25 < 4", false],
  ["4.6.7", ">4", false],
  ["4.6.7", "<=4.6", true],
  ["0.1.0", "^0.1", true],
  ["0.2.0", "^0.1", false],
  ["0.1.3", "^0.1.2", true],
  ["0.0.4", "^0.0.3", false],
  ["0.1.0", "^0", true],
  ["0.1.0", "^1", false],
  ["0.1.0", "latest", false],
  ["0.1.0", "not a range", false],
];

Deno.test("satisfies() reads the ranges of npm and JSR", () => {
  for (const [version, range, expected] of CASES) {
    assertEquals(satisfies(version, range), expected, `${version} in "${range}"`);
  }
});
