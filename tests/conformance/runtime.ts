import type { Runtime } from "../../src/runtimes/runtime.ts";
import { confinement } from "./confinement.ts";
import { data } from "./data.ts";
import { type Lab, lab } from "./lab.ts";
import { lifetime } from "./lifetime.ts";
import { limits } from "./limits.ts";
import { streams } from "./streams.ts";

/** One thing that every runtime does. */
export interface Behaviour {
  readonly name: string;
  test(lab: Lab, subject: Subject): Promise<void>;
}

export interface Subject {
  /** Names the tests. */
  readonly name: string;
  make(): Runtime;
  /** The names in the environment of a sandbox's first program. */
  readonly environment: readonly string[];
  /** Behaviour -> why this runtime does not have it. Such a test fails once it passes. */
  readonly deviations?: Readonly<Record<string, string>>;
  /** Why none of this can be tried here; absent: it can. */
  readonly ignore?: string | undefined;
}

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
