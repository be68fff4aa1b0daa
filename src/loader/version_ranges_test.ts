import { assertEquals } from "@std/assert";
import { versionRanges } from "./version_ranges.ts";

const { isRange, satisfies } = await versionRanges();

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
  // A hyphen between versions: both ends are in it, and a partial end stands for all that it
  // starts.
  ["1.5.0", "1.2.3 - 2.3.4", true],
  ["2.3.4", "1.2.3 - 2.3.4", true],
  ["2.3.5", "1.2.3 - 2.3.4", false],
  ["2.9.9", "1.2 - 2", true],
  ["3.0.0", "1.2 - 2", false],
  // A pre-release comes before its release, and is in a range only where the range names one of it.
  ["1.0.0-beta.1", "^1", false],
  ["1.0.0-beta.1", "*", false],
  ["1.0.0-beta.1", "1.0.0-beta.1", true],
  ["1.0.0-beta.2", "^1.0.0-beta.1", true],
  ["1.0.0-alpha", "^1.0.0-beta.1", false],
  ["1.0.0", "^1.0.0-beta.1", true],
  ["1.1.0-beta.1", "^1.0.0-beta.1", false],
  ["2.0.0-rc.1", "<2", false],
  ["1.0.0-beta.1", "1.0.0", false],
  // What follows a plus is no part of the order.
  ["1.0.0+build", "1.0.0", true],
  ["1.2.9", "~>1.2.3", true],
  ["1.3.0", "~>1.2.3", false],
  ["1.2.3", ">1.2 <1.3", false],
  ["1.2.3", "v1.2.3", true],
  ["0.0.0", "<0.0.0-0", false],
  ["1", "*", false],
];

Deno.test("satisfies() reads the ranges of npm and JSR", () => {
  for (const [version, range, expected] of CASES) {
    assertEquals(satisfies(version, range), expected, `${version} in "${range}"`);
  }
});

Deno.test("isRange() tells ranges from the names of releases", () => {
  for (const range of ["", "*", "x", "v1", "1 - 2", "^1 || 3", ">=1.0.0-rc.1"]) {
    assertEquals(isRange(range), true, range);
  }
  for (const tag of ["latest", "next", "beta-2", "xyz", "vnext"]) {
    assertEquals(isRange(tag), false, tag);
  }
});
