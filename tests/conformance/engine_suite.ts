import { environmentOf } from "../../src/runtimes/confinement.ts";
import { type Engine, engineRuntime } from "../../src/runtimes/engine.ts";
import { ONLY_LISTED_FOLDERS, SYSTEM_IS_READ_ONLY } from "./confinement.ts";
import { engineHere, engineTest } from "./engine_here.ts";
import { ENGINE_BEHAVIOURS } from "./engine_lifetime.ts";
import { PROCESS_STATUS } from "./limits.ts";
import { BEHAVIOURS, tryBehaviour } from "./runtime.ts";
import { imaging } from "./spec_images.ts";

export interface EngineSuiteOptions {
  /** How the tests are named where it is not just the engine's name. */
  readonly name?: string;
  /** For the engine's client. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the engine itself sets in a sandbox, besides Karotte's few. */
  readonly variables: readonly string[];
  readonly deviations?: Readonly<Record<string, string>>;
}

/** Of every engine. */
const DEVIATIONS = {
  [SYSTEM_IS_READ_ONLY]: "a container has a layer of its own, which goes with it",
  [ONLY_LISTED_FOLDERS]: "an image brings its own folders",
  [PROCESS_STATUS]: "engines do not say that the limit was reached",
};

/** Registers a test for each behaviour, on an engine. */
export async function testEngine(engine: Engine, options: EngineSuiteOptions): Promise<void> {
  const here = await engineHere(engine, options.environment);
  const { caller } = here;
  const plain = engineRuntime(engine, { environment: caller.environment, warn: () => {} });
  const runtime = imaging(plain, caller);
  const subject = {
    name: options.name ?? engine.name,
    make: () => runtime,
    environment: [...Object.keys(environmentOf(engine.confinedBy)), ...options.variables],
    deviations: { ...DEVIATIONS, ...options.deviations },
  };
  for (const behaviour of BEHAVIOURS) {
    engineTest(here, behaviour.name, () => tryBehaviour(behaviour, subject));
  }
  for (const behaviour of ENGINE_BEHAVIOURS) {
    engineTest(here, behaviour.name, () => behaviour.test(plain, caller));
  }
  Deno.test.afterAll(() => runtime.removeImages());
}
