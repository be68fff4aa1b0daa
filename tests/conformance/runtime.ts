import { testUnless } from "../support/whole.ts";
import { type Behaviour, leavesOut, type Subject } from "./behaviour.ts";
import { confinement } from "./confinement.ts";
import { data } from "./data.ts";
import { lab } from "./lab.ts";
import { lifetime } from "./lifetime.ts";
import { limits } from "./limits.ts";
import { streams } from "./streams.ts";
import { systemCalls } from "./system_calls.ts";

/** What a runtime must do, whatever is behind it. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...streams,
  ...confinement,
  ...systemCalls,
  ...data,
  ...limits,
  ...lifetime,
];

/** Registers a test for each behaviour. */
export function testRuntime(subject: Subject): void {
  const { ignore, variation } = subject;
  for (const behaviour of BEHAVIOURS) {
    const name = `${subject.name}: ${behaviour.name}`;
    const fn = () => tryBehaviour(behaviour, subject);
    if (ignore === undefined) testUnless(leavesOut(behaviour, variation), name, fn);
    else Deno.test({ name: `${name} (ignored: ${ignore})`, ignore: true, fn });
  }
}

/** Throws if the subject does not behave so, or, where it is said not to, if it does. */
export async function tryBehaviour(behaviour: Behaviour, subject: Subject): Promise<void> {
  const reason = subject.deviations?.[behaviour.name];
  if (reason === undefined) return await attempt(behaviour, subject);
  try {
    await attempt(behaviour, subject);
  } catch {
    return;
  }
  throw new Error(`passes, so it is no deviation any more: ${reason}`);
}

async function attempt(behaviour: Behaviour, subject: Subject): Promise<void> {
  await using bench = await lab(subject.make());
  await behaviour.test(bench, subject);
}
