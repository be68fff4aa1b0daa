import type { KeptLimits } from "../../src/runtimes/abilities.ts";
import type { Runtime } from "../../src/runtimes/runtime.ts";
import type { Lab } from "./lab.ts";

/**
 * Something that changes how a runtime is reached but not what it is, and what may differ with it:
 * `remote`, a daemon that shares no file with its client; `product`, another container engine than
 * docker, where docker is tried too; `launcher`, the second way to start bubblewrap.
 */
export type Variation = "remote" | "product" | "launcher";

/** One thing that every runtime does. */
export interface Behaviour {
  readonly name: string;
  /** Variations that may do it otherwise; on others it is left out unless all tests run. */
  readonly differs?: readonly Variation[];
  /** The limit that it shows to be prevented; where a runtime does not say so, it is not tried. */
  readonly limit?: keyof KeptLimits;
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
  /** What it is a variation of something else in; absent: it is tried whole. */
  readonly variation?: Variation | undefined;
  /** Why none of this can be tried here; absent: it can. */
  readonly ignore?: string | undefined;
}

/** Whether a behaviour is left out for time on a variation of what is tried whole. */
export function leavesOut(
  { differs = [] }: Pick<Behaviour, "differs">,
  variation: Variation | undefined,
): boolean {
  return variation !== undefined && !differs.includes(variation);
}
