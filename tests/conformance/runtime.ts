import type { Behaviour, Subject } from "./behaviour.ts";
import { confinement } from "./confinement.ts";
import { data } from "./data.ts";
import { lab } from "./lab.ts";
import { lifetime } from "./lifetime.ts";
import { limits } from "./limits.ts";
import { streams } from "./streams.ts";

/** What a runtime must do, whatever is behind it. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...streams,
  ...confinement,
  ...data,
  ...limits,
  ...lifetime,
];

/** Registers a test for each behaviour. */
export function testRuntime(subject: Subject): void {
  for (const behaviour of BEHAVIOURS) {
    const reason = subject.deviations?.[behaviour.name];
    const suffix = subject.ignore === undefined ? "" : ` (ignored: ${subject.ignore})`;
    Deno.test({
      name: `${subject.name}: ${behaviour.name}${suffix}`,
      ignore: subject.ignore !== undefined,
      fn: () =>
        reason === undefined ? attempt(behaviour, subject) : deviate(behaviour, subject, reason),
    });
  }
}

async function attempt(behaviour: Behaviour, subject: Subject): Promise<void> {
  await using bench = await lab(subject.make());
  await behaviour.test(bench, subject);
}

async function deviate(behaviour: Behaviour, subject: Subject, reason: string): Promise<void> {
  try {
    await attempt(behaviour, subject);
  } catch {
    return;
  }
  throw new Error(`passes, so it is no deviation any more: ${reason}`);
}
