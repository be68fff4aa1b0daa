import { z } from "zod";

/**
 * The guards between the student and its score that the trick suite can switch off one by one, to
 * show that each of them matters.
 */
export const GUARDS = [
  /** The student's processes end before it is scored. */
  "kill",
  /** Its links into places of root's are found. */
  "links",
  /** Submissions are collected with its rights. */
  "submission",
  /** Programs of root get listed variables only. */
  "allow_list",
  /** The harness's filter of system calls. */
  "filter",
  /** Rubric judges tell the student's text from their own. */
  "fence",
  /** Regex judges search only what the student said. */
  "regex",
] as const;

/** The name of a guard. */
export type Guard = typeof GUARDS[number];

export const guardSchema: z.ZodType<Guard> = z.enum(GUARDS);

const off = new Set<Guard>();

/**
 * Switches guards off in this process, for tests only. The harness calls it once, for the start
 * message's `guards_off`, and records each in the transcript.
 */
export function switchGuardsOff(guards: readonly Guard[]): void {
  for (const guard of guards) off.add(guard);
}

/** Whether a guard holds, as it does everywhere but in the trick suite's counter-checks. */
export function isGuardOn(guard: Guard): boolean {
  return !off.has(guard);
}
