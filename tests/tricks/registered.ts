import { assertEquals } from "@std/assert";
import { sample } from "../support/sample.ts";
import { WHOLE } from "../support/whole.ts";
import type { Outcome } from "./outcome.ts";
import { TrickRange, type TrickRuntime } from "./range.ts";
import { playAll, type Skipped } from "./suite.ts";
import { CONTROLS, TRICKS } from "./tricks.ts";

/**
 * Plays so many tricks of the suite, all where all tests run, and what is honest in their variants;
 * each is a step of the test.
 */
export async function testTricks(
  test: Deno.TestContext,
  { runtime, count }: { runtime: TrickRuntime; count: number },
): Promise<void> {
  const tricks = sample(WHOLE ? TRICKS : TRICKS.filter(({ heavy }) => !heavy), count);
  const variants = new Set(tricks.map(({ variant }) => variant));
  const controls = CONTROLS.filter(({ variant }) => variants.has(variant));
  await using range = await TrickRange.create(runtime);
  for (const result of await playAll(range, [...controls, ...tricks])) await step(test, result);
}

async function step(test: Deno.TestContext, result: Outcome | Skipped): Promise<void> {
  const name = `${result.trick.group}: ${result.trick.name}`;
  if ("skipped" in result) {
    const ignored = `${name} (ignored: ${result.skipped})`;
    await test.step({ name: ignored, ignore: true, fn: () => {} });
    return;
  }
  const { failure, seconds } = result;
  await test.step(`${name}, ${Math.round(seconds)} s`, () => assertEquals(failure, undefined));
}
