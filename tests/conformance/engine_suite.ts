import { environmentOf } from "../../src/runtimes/confinement.ts";
import { engineRuntime } from "../../src/runtimes/engine.ts";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { HIDDEN_FOLDER, ONLY_LISTED_FOLDERS, SYSTEM_IS_READ_ONLY } from "./confinement.ts";
import { WRITABLE_MOUNT } from "./data.ts";
import { WHOLE } from "../support/whole.ts";
import { engineHere, engineTest } from "./engine_here.ts";
import { LEAVES_NO_LOG } from "./engine_logs.ts";
import { ENGINE_BEHAVIOURS } from "./engine_lifetime.ts";
import { NETWORK_BEHAVIOURS } from "./engine_network.ts";
import { type RemoteEngine, testElsewhere } from "./engine_remote.ts";
import { BEHAVIOURS, tryBehaviour, whyNotOf } from "./runtime.ts";
import { imaging } from "./spec_images.ts";

export interface EngineSuiteOptions {
  /** What the engine itself sets in a sandbox, besides Karotte's few. */
  readonly variables: readonly string[];
  /** Where its daemon shares no file with this machine. */
  readonly remoteDeviations?: Readonly<Record<string, string>>;
  /** Starts a daemon that looks as if it were elsewhere; absent: the tests know of none. */
  readonly startElsewhere?: (
    variables: Readonly<Record<string, string>>,
  ) => Promise<RemoteEngine>;
  /** The path of the file that calls this, from the repository's root. */
  readonly file: string;
}

/** Of every engine. */
const DEVIATIONS = {
  [SYSTEM_IS_READ_ONLY]: "a container has a layer of its own, which goes with it",
  [ONLY_LISTED_FOLDERS]: "an image brings its own folders",
};

/** Of every engine whose daemon does not see this machine's files. */
const REMOTE_DEVIATIONS = {
  [WRITABLE_MOUNT]: "a mount is of the daemon's machine",
  [HIDDEN_FOLDER]: "a mount is of the daemon's machine",
};

/**
 * Registers a test for each behaviour on an engine, and for those that differ with a daemon
 * elsewhere.
 */
export async function testEngine(engine: Engine, options: EngineSuiteOptions): Promise<void> {
  const here = await engineHere(engine);
  const { caller, information } = here;
  const remote = information?.remote ?? false;
  const plain = engineRuntime(engine, { variables: caller.variables, warn: () => {} });
  const runtime = imaging(plain, caller);
  const subject = {
    name: engine.name,
    make: () => runtime,
    environment: [
      ...Object.keys(environmentOf({ ...engine, cacheDirectory: "" })),
      ...options.variables,
    ],
    deviations: {
      ...DEVIATIONS,
      ...(remote ? { ...REMOTE_DEVIATIONS, ...options.remoteDeviations } : {}),
    },
  };
  for (const behaviour of BEHAVIOURS) {
    const reason = whyNotOf(behaviour, runtime);
    if (reason === undefined) {
      engineTest(here, behaviour.name, () => tryBehaviour(behaviour, subject), behaviour);
    } else {
      const name = `${engine.name}: ${behaviour.name} (ignored: ${reason})`;
      Deno.test({ name, ignore: true, fn: () => {} });
    }
  }
  const behaviours = [...ENGINE_BEHAVIOURS, LEAVES_NO_LOG, ...NETWORK_BEHAVIOURS];
  for (const behaviour of behaviours) {
    engineTest(here, behaviour.name, () => behaviour.test(plain, caller), behaviour);
  }
  Deno.test.afterAll(() => runtime.removeImages());
  const { startElsewhere } = options;
  if (remote || startElsewhere === undefined) return;
  const what = WHOLE ? "all this" : "what differs there";
  engineTest(here, `passes ${what} with a daemon that shares no file with it`, async () => {
    await using elsewhere = await startElsewhere(caller.variables);
    const variables = { KAROTTE_ENGINES: engine.name, ...elsewhere.variables };
    await testElsewhere(options.file, variables);
  });
}
