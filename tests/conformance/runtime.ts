import { testUnless } from "../support/whole.ts";
import { abilities } from "./abilities.ts";
import { type Behaviour, leavesOut, type Subject } from "./behaviour.ts";
import { confinement } from "./confinement.ts";
import { data } from "./data.ts";
import { lab } from "./lab.ts";
import { lifetime } from "./lifetime.ts";
import { limits } from "./limits.ts";
import { streams } from "./streams.ts";
import { systemCalls } from "./system_calls.ts";
import type { Runtime } from "../../src/runtimes/runtime.ts";

/** What a runtime must do, whatever is behind it. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...streams,
  ...confinement,
  ...systemCalls,
  ...data,
  ...limits,
  ...lifetime,
  ...abilities,
];

/** Registers a test for each behaviour. */
export function testRuntime(subject: Subject): void {
  for (const behaviour of BEHAVIOURS) {
    const name = `${subject.name}: ${behaviour.name}`;
    const fn = () => tryBehaviour(behaviour, subject);
    const ignore = subject.ignore ?? whyNotOf(behaviour, subject.make());
    if (ignore === undefined) testUnless(leavesOut(behaviour, subject.variation), name, fn);
    else Deno.test({ name: `${name} (ignored: ${ignore})`, ignore: true, fn });
  }
}

/** Says why a behaviour is not one of this runtime; undefined: it is. */
export function whyNotOf({ limit }: Behaviour, { abilities }: Runtime): string | undefined {
  if (limit === undefined || abilities.limits[limit] === "prevented") return undefined;
  return `it says that the limit is ${abilities.limits[limit]}`;
}

/** Throws if the subject does not behave so, or, where it is said not to, if it does. */
export async function tryBehaviour(behaviour: Behaviour, subject: Subject): Promise<void> {
  const reason = subject.deviations?.[behaviour.name];
  if (reason === undefined) return await attempt(behaviour, subject);
  if (behaviour.limit !== undefined && subject.make().abilities.limitsHold === undefined) {
    throw new Error(`the runtime says without a condition that the limit is prevented: ${reason}`);
  }
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
