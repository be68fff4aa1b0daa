import { logLine } from "../base/log.ts";
import { type Guard, switchGuardsOff } from "../protocol/guards.ts";

/**
 * Does without the guards that the host names, which only the trick suite makes it do, and says so
 * in the sandbox's log. Returns the warnings that the transcript has to hold.
 */
export function doWithoutGuards(guards: readonly Guard[]): string[] {
  switchGuardsOff(guards);
  const warnings = guards.map((guard) =>
    `TEST ONLY: the guard "${guard}" is switched off (KAROTTE_TEST_WITHOUT): the student can cheat`
  );
  for (const warning of warnings) logLine(warning);
  return warnings;
}
