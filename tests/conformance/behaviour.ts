import type { KeptLimits } from "../../src/runtimes/abilities.ts";
import type { Runtime } from "../../src/runtimes/runtime.ts";
import type { Lab } from "./lab.ts";

/** One thing that every runtime does. */
export interface Behaviour {
  readonly name: string;
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
  /** Why none of this can be tried here; absent: it can. */
  readonly ignore?: string | undefined;
}
